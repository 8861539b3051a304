import { readFile } from 'node:fs/promises';

/** Memory of a process in MiB. */
export interface Memory {
  /** Resident, pages that processes share counted in each. */
  readonly resident: number;
  /** Resident, shared pages counted once among those who share them: these may be added up. */
  readonly proportional: number;
}

/** One sample of all programs. */
export interface MemorySample {
  /** Since the first, in minutes. */
  readonly minutes: number;
  readonly programs: Readonly<Record<string, Memory>>;
}

export async function readMemory(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { resident: mebibytes('Rss'), proportional: mebibytes('Pss') };
}

/** MiB an hour by which a program's resident memory grows, by least squares over the samples given. */
export function growthOf(samples: readonly MemorySample[], program: string): number {
  const points = samples.map(({ minutes, programs }) => [minutes / 60, programs[program]?.resident ?? 0] as const);
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [hours, size] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = mean(([x]) => (x - hours) ** 2);
  return spread === 0 ? 0 : mean(([x, y]) => (x - hours) * (y - size)) / spread;
}
