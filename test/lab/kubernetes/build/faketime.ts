import path from 'node:path';
import { unpackPackages } from './programs.ts';

/** By release 12 of Debian, as the product's image is. */
const PACKAGE = 'libfaketime=0.9.10-2.1';

/** The library that makes the clock of a program wrong, as a file. */
export async function findFaketime(): Promise<string> {
  const folder = await unpackPackages('faketime', [PACKAGE]);
  return path.join(folder, 'usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1');
}
