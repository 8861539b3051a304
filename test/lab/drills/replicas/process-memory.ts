import { readFile } from 'node:fs/promises';

/** Memory of a process in MiB. */
export interface Memory {
  /** Resident, pages that processes share counted in each. */
  readonly resident: number;
  /** Resident, shared pages counted once among those who share them: these may be added up. */
  readonly proportional: number;
}

export async function readMemory(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { resident: mebibytes('Rss'), proportional: mebibytes('Pss') };
}
