import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export async function inFolder(prefix: string, attempt: (folder: string) => Promise<void>): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), prefix));
  try {
    await attempt(folder);
    return process.exitCode === 1 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints a subject with its faults. Any fault sets exit code 1. */
export function report(what: string, faults: readonly string[]): void {
  say(`${what}${faults.length === 0 ? ', as it must be' : ''}`);
  for (const fault of faults) say(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
