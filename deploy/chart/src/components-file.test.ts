import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { COMPONENTS_FILE, componentsText } from './components-file.ts';

test('the chart knows every program, edge and setting of the code; npm run chart:generate writes them', async () => {
  expect(await readFile(COMPONENTS_FILE, 'utf8')).toBe(componentsText());
});
