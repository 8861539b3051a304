import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../refusal.ts';

/** Has mode 0600, and is created before the key exists. Disposal deletes it without `keep`. */
export interface KeyFile extends AsyncDisposable {
  readonly path: string;
  keep(token: string): Promise<void>;
}

/** Throws a Refusal. */
export async function makeKeyFile(file: string): Promise<KeyFile> {
  const full = path.resolve(file);
  const handle = await open(full, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it already exists' : error.message;
    throw new Refusal(`The key file ${full} cannot be created (${why}): choose another file with --key-file.`);
  });
  let isKept = false;
  return {
    path: full,
    async keep(token) {
      await handle.writeFile(`${token}\n`);
      await handle.sync();
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      if (!isKept) await rm(full, { force: true });
    },
  };
}
