import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasGo } from '@ces/chart/check/programs';
import { readArguments } from '../support/arguments.ts';
import { findTools } from './build/programs.ts';
import type { Work } from './inside.ts';

const { values } = readArguments('npm run lab -- policies [--json FILE]', { json: { type: 'string' } });

process.exitCode = await main();

/** Puts network policies into force on a machine of its own within this one, and prints what is seen, row by row. */
async function main(): Promise<number> {
  const lacking = await lackingHere();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  const tools = await findTools();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-node-'));
  const work: Work = { tools, json: values.json && path.resolve(values.json) };
  const file = path.join(folder, 'work.json');
  await writeFile(file, JSON.stringify(work));
  return await enter(folder, file);
}

/** A signal closes what the machine within reads, and so does the end of this process, however it comes. */
async function enter(folder: string, workFile: string): Promise<number> {
  const inside = [process.execPath, path.join(import.meta.dirname, 'inside.ts'), workFile];
  const child = spawn(path.join(import.meta.dirname, 'node/enter.sh'), [folder, ...inside], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.stdin.destroy());
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function lackingHere(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Policies in force need Linux and root, for mounts, networks and cgroups of their own.';
  if (!(await hasGo())) return 'helm and the probe are built by Go, which is not installed here.';
  return undefined;
}
