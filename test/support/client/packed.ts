import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '@ces/client/build';

const execute = promisify(execFile);
/** npm may contact no registry. */
const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];

export interface InstalledClient extends AsyncDisposable {
  readonly folder: string;
  readonly tarball: string;
}

export async function installClient(): Promise<InstalledClient> {
  await using cleanup = new AsyncDisposableStack();
  const root = await mkdtemp(path.join(os.tmpdir(), 'ces-client-'));
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  await buildPackage(path.join(root, 'package'));
  const packed = await execute('npm', ['pack', '--json', '--pack-destination', root], {
    cwd: path.join(root, 'package'),
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ readonly filename: string }];
  const folder = path.join(root, 'program');
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = path.join(root, filename);
  await execute('npm', ['install', tarball, ...OFFLINE], { cwd: folder });
  const kept = cleanup.move();
  return { folder, tarball, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
