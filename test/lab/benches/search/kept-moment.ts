import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The `now` of a kept record. It is stored once, so that an interrupted fill can continue. */
export async function keptMoment(directory: string, size: number): Promise<Date> {
  const file = path.join(directory, `record-of-${size}`);
  await mkdir(directory, { recursive: true });
  await writeFile(file, new Date().toISOString(), { flag: 'wx' }).catch(() => undefined);
  return new Date(await readFile(file, 'utf8'));
}
