import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY, type ServiceName } from '@ces/topology/services';
import { backUp } from '../backup/dump.ts';
import { backupFile, outsideUrls, ownerUrls } from '../backup/files.ts';
import { dataDirectory } from '../state/data-directory.ts';
import type { Ready } from '../state/ready-file.ts';
import { findRunningStack } from '../state/stack-lock.ts';
import { parseBackupArguments } from './backup-arguments.ts';
import { terminal } from './output.ts';

main().catch((error: Error) => {
  terminal.fail(error.message);
  process.exit(1);
});

/** Each file is a snapshot of its own. */
async function main(): Promise<void> {
  const { directory, services } = parseBackupArguments('backup');
  const urls = outsideUrls(services, process.env) ?? (await urlsOfStack());
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const service of services) {
    const { at, rows } = await backUp(urls(service), backupFile(directory, service));
    terminal.say(`${service}: ${rows} rows as of ${at}`);
  }
}

async function urlsOfStack(): Promise<(service: ServiceName) => string> {
  const data = dataDirectory(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
  if ((await findRunningStack(data)) === undefined)
    throw new Error(`no stack runs in ${data.path}: start it, or set CES_DATA_DIR to its directory.`);
  const ready: Ready = JSON.parse(await readFile(data.readyFile, 'utf8'));
  return ownerUrls(ready.databases, JSON.parse(await readFile(data.secretsFile, 'utf8')), process.env);
}
