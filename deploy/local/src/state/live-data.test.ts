import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataDirectory, dataDirectory } from './data-directory.ts';
import { isLive, openLiveData } from './live-data.ts';

let data: DataDirectory;

beforeEach(async () => {
  data = dataDirectory(await mkdtemp(path.join(os.tmpdir(), 'ces-live-data-')));
});
afterEach(() => rm(data.path, { recursive: true }));

test('a directory is live from its first live start on, and keeps the schedules', async () => {
  expect(await openLiveData(data, false, {})).toBeUndefined();
  expect(await isLive(data)).toBe(false);
  const first = await openLiveData(data, true, {});
  expect(first).toEqual({ CES_ACQUISITION_SCHEDULES: 'true' });
  expect(await openLiveData(data, false, {})).toEqual(first);
  expect(await openLiveData(data, false, { CES_ACQUISITION_SCHEDULES: 'false' })).toEqual({
    CES_ACQUISITION_SCHEDULES: 'false',
  });
});

test('keys of sources are kept for later starts in a private file, and let searches ask', async () => {
  const CES_SOURCE_SECRETS = 'sam_api.api_key=k';
  const settings = { CES_ACQUISITION_SCHEDULES: 'true', CES_ACQUISITION_ON_DEMAND: 'true', CES_SOURCE_SECRETS };
  expect(await openLiveData(data, true, { CES_SOURCE_SECRETS })).toEqual(settings);
  expect(await openLiveData(data, false, {})).toEqual(settings);
  expect((await stat(data.liveFile)).mode & 0o777).toBe(0o600);
});

test('the sample and sources are never in one record', async () => {
  await writeFile(data.sampleFile, '{}');
  await expect(openLiveData(data, true, {})).rejects.toThrow('has the fictional sample: add --fresh to delete it');
  expect(await isLive(data)).toBe(false);
  expect(await openLiveData(data, false, {})).toBeUndefined();
});
