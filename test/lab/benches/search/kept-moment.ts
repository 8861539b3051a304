import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The moment that a kept record counts back from: a folder is filled once, and a fill that was broken off goes on. */
export async function keptMoment(directory: string, size: number): Promise<Date> {
  const file = path.join(directory, `record-of-${size}`);
  await mkdir(directory, { recursive: true });
  await writeFile(file, new Date().toISOString(), { flag: 'wx' }).catch(() => undefined);
  return new Date(await readFile(file, 'utf8'));
}
