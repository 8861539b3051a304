import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor seconds of a process, including children that it has waited for. */
export function processorSeconds(pid: number): number {
  const fields = statOf(pid);
  return fields ? (fields.own + fields.ended) / ticksPerSecond() : 0;
}

/** Adds all running children, because Postgres has one for each connection. */
export function familySeconds(pid: number): number {
  return processorSeconds(pid) + runningChildren(pid).reduce((sum, child) => sum + child.seconds, 0);
}

function runningChildren(pid: number): { readonly pid: number; readonly seconds: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return fields?.parent === pid ? [{ pid: Number(name), seconds: fields.own / ticksPerSecond() }] : [];
  });
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
