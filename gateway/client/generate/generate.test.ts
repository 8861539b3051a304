import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildDocument } from '@ces/gateway/test-support/openapi';
import { expect, test } from 'vitest';
import { generateTypes } from './generate.ts';

test('the types match the OpenAPI document: npm run -w @ces/client generate writes them', async () => {
  const written = await readFile(path.join(import.meta.dirname, '../src/generated/openapi.ts'), 'utf8');
  expect(written).toBe(await generateTypes(buildDocument()));
});
