import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4_096;

/** Memory of all processes of the node in MB, without shared pages. */
export async function memoryOf(): Promise<number> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(processes.map(ownPages));
  return Math.round((own.reduce((sum, pages) => sum + pages, 0) * PAGE_BYTES) / 1_000_000);
}

/** Resident pages minus shared ones. 0 if the process has ended. */
async function ownPages(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return resident - shared;
}
