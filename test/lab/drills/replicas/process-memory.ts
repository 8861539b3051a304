import { readFile } from 'node:fs/promises';

export interface Memory {
  /** Counts shared pages in full for each process. */
  readonly resident: number;
  /** Divides shared pages among their processes (PSS), so values can be added. */
  readonly proportional: number;
}

export async function readMemory(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { resident: mebibytes('Rss'), proportional: mebibytes('Pss') };
}
