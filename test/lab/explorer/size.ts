import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const ASSETS = path.join(REPOSITORY, 'gateway/explorer/dist/assets');

export interface Size {
  readonly brotli: number;
  readonly gzip: number;
  readonly files: number;
}

export async function builtSize(): Promise<Size> {
  const names = await readdir(ASSETS);
  const total = async (ending: string) => {
    const sizes = names.filter((name) => name.endsWith(ending)).map((name) => stat(path.join(ASSETS, name)));
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  };
  const files = names.filter((name) => /\.(?:js|css)$/.test(name)).length;
  return { brotli: await total('.br'), gzip: await total('.gz'), files };
}
