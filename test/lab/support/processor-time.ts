import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of a process and, once they have ended, of those it waited for, in seconds. */
export function processorSeconds(pid: number): number {
  const fields = statOf(pid);
  return fields ? (fields.own + fields.ended) / ticksPerSecond() : 0;
}

/** The same with all its running children: a Postgres server has one a connection. */
export function familySeconds(pid: number): number {
  const children = readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return fields?.parent === pid ? [fields.own] : [];
  });
  return processorSeconds(pid) + children.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond();
}

function statOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

let ticks: number | undefined;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
}
