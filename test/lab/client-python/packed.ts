import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CLIENT, type Environment } from './pythons.ts';

const execute = promisify(execFile);

export interface Packed {
  readonly wheel: string;
  readonly sdist: string;
}

export async function packClient(tools: Environment, folder: string): Promise<Packed> {
  // The build backend is one of the tools, so nothing else is downloaded.
  await tools.run('python', ['-m', 'build', '--no-isolation', '--outdir', folder, CLIENT]);
  const names = await readdir(folder);
  const fileNamed = (ending: string) => path.join(folder, names.find((name) => name.endsWith(ending)) ?? ending);
  return { wheel: fileNamed('.whl'), sdist: fileNamed('.tar.gz') };
}

export async function checkContents({ wheel, sdist }: Packed): Promise<string> {
  const list = async (kind: 'zipfile' | 'tarfile', file: string) =>
    (await execute('python3', ['-m', kind, '--list', file])).stdout.split('\n').map((line) => line.split(' ')[0] ?? '');
  const [inWheel, inSdist] = [await list('zipfile', wheel), await list('tarfile', sdist)];
  const ours = (name: string) => /^ces_client(-[^/]+)?\//.test(name);
  const faults = [
    ...(inWheel.includes('ces_client/py.typed') ? [] : ['the wheel lacks py.typed']),
    ...inWheel.filter((name) => name && name !== 'File' && !ours(name)),
    ...inSdist.filter((name) => /\/(tests|generate)\//.test(name)),
  ];
  if (faults.length > 0) throw new Error(faults.join(', '));
  return `${path.basename(wheel)}, ${path.basename(sdist)}`;
}
