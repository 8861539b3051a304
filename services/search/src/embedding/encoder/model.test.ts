import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = path.join(import.meta.dirname, '../../../model');

test.each(['encoder.onnx', 'tokenizer.json'])('%s is the file that its card describes', async (name) => {
  const content = await readFile(path.join(FOLDER, name));
  const card = await readFile(path.join(FOLDER, 'README.md'), 'utf8');
  const digest = createHash('sha256').update(content).digest('hex');
  expect(card).toContain(`| \`${name}\` | ${content.length.toLocaleString('en')} | \`${digest}\` |`);
});
