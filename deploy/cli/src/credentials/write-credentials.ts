import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Credentials, credentialFile } from './credential-file.ts';

const OWNER_ONLY = 0o600;

/** Replaces the file in one step, with mode 0600 before it holds a key. */
export function writeCredentials(directory: string, credentials: Credentials): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unfinished = path.join(directory, `credentials.${randomUUID()}`);
  try {
    writeFileSync(unfinished, '', { mode: OWNER_ONLY, flag: 'wx' });
    chmodSync(unfinished, OWNER_ONLY);
    writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`);
    renameSync(unfinished, credentialFile(directory));
  } finally {
    rmSync(unfinished, { force: true });
  }
}
