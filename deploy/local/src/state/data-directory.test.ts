import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataDirectory, dataDirectory, emptyDataDirectory, makeDataDirectory } from './data-directory.ts';

let data: DataDirectory;

beforeEach(async () => {
  data = dataDirectory(await mkdtemp(path.join(os.tmpdir(), 'ces-data-')));
  await makeDataDirectory(data);
});

afterEach(() => rm(data.path, { recursive: true, force: true }));

test('a fresh start keeps what stacks did not write, and the log it writes itself', async () => {
  for (const name of ['secrets.json', 'ready.json', 'search-index', 'mine.txt', 'logs/ledger.log', 'logs/stack.log'])
    await writeFile(path.join(data.path, name), '');
  await emptyDataDirectory(data);
  expect(await readdir(data.path)).toEqual(['logs', 'mine.txt']);
  expect(await readdir(data.logs)).toEqual(['stack.log']);
});
