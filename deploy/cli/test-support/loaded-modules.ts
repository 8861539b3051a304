import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const LISTER = path.join(import.meta.dirname, 'list-modules.mjs');
const MAIN = path.join(import.meta.dirname, '../src/main.ts');

export async function loadedModules(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-modules-'));
  const list = path.join(directory, 'loaded');
  try {
    await new Promise<void>((resolve) => {
      const options = { env: { ...process.env, ...env, LOADED_MODULES: list } };
      execFile(process.execPath, ['--import', LISTER, MAIN, ...argv], options, () => resolve());
    });
    return (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
