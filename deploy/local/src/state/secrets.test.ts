import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataDirectory, dataDirectory } from './data-directory.ts';
import { openSecrets } from './secrets.ts';

let data: DataDirectory;

beforeEach(async () => {
  data = dataDirectory(await mkdtemp(path.join(os.tmpdir(), 'ces-secrets-')));
});

afterEach(async () => {
  await rm(data.path, { recursive: true, force: true });
});

test('secrets are generated once, differ from one another and are readable only by their owner', async () => {
  const first = await openSecrets(data, ['one', 'two']);
  expect(first.one).toMatch(/^[0-9a-f]{64}$/);
  expect(first.one).not.toBe(first.two);
  expect(await openSecrets(data, ['one', 'two'])).toEqual(first);
  expect((await stat(data.secretsFile)).mode & 0o777).toBe(0o600);
});

test('a later version adds the secrets it needs and keeps the others', async () => {
  const { one } = await openSecrets(data, ['one']);
  expect(await openSecrets(data, ['one', 'two'])).toEqual({ one, two: expect.any(String) });
});

test('a damaged file is named and left as it is', async () => {
  await writeFile(data.secretsFile, '{"one": "4a');
  await expect(openSecrets(data, ['one'])).rejects.toThrow(/secrets\.json is damaged: .*--fresh/);
  expect(await readFile(data.secretsFile, 'utf8')).toBe('{"one": "4a');
});

test('secrets are not generated again for a database that needs the lost ones', async () => {
  await mkdir(path.join(data.postgres, '18'), { recursive: true });
  await expect(openSecrets(data, ['one'])).rejects.toThrow(/secrets\.json is missing, .*--fresh/);
});
