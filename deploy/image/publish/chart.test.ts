import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { withImage } from './chart.ts';

const IMAGE = {
  registry: 'registry.example.com:5000',
  repository: 'team/company-evidence-search',
  digest: `sha256:${'a'.repeat(64)}`,
};

test('three lines of the values name the image, and nothing else is another', async () => {
  const values = await readFile(path.join(REPOSITORY, 'charts/ces/values.yaml'), 'utf8');
  const changed = withImage(values, IMAGE).split('\n');
  const before = values.split('\n');
  expect(changed).toHaveLength(before.length);
  expect(changed.filter((line, position) => line !== before[position])).toEqual([
    '  registry: registry.example.com:5000',
    '  repository: team/company-evidence-search',
    `  digest: sha256:${'a'.repeat(64)}`,
  ]);
});

test('values without a placeholder for the digest are refused', () => {
  expect(() => withImage('image:\n  registry: ""\n  repository: x\n\nnext:\n  digest: ""\n', IMAGE)).toThrow(
    'The values of the chart have no image.digest.',
  );
});

test('values without an image are refused', () => {
  expect(() => withImage('images: {}\n', IMAGE)).toThrow('The values of the chart have no image.');
});
