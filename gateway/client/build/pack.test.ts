import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SOURCES = path.resolve(import.meta.dirname, '..');

test('the sources refuse to be packed and say what to pack instead', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-pack-'));
  try {
    const packed = promisify(execFile)('npm', ['pack', SOURCES], { cwd: folder });
    await expect(packed).rejects.toMatchObject({ stderr: expect.stringContaining('npm pack ./gateway/client/dist') });
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
