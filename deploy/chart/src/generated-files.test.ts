import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from './generated-files.ts';

test.each([...generatedFiles()].map(([file, text]) => ({ file, name: path.basename(file), text })))(
  'the chart has $name as the code says it; npm run chart:generate writes it',
  async ({ file, text }) => {
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);
