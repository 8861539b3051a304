import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** What ps says of a process whose parent has not asked for its exit code. */
const ENDED = /^\(\w+\)$|^.*<defunct>$/;

/** With what program and parameters a process runs, in one line; empty when there is none, or only what is left of one that has ended. */
export async function commandOf(pid: number, platform: string = process.platform): Promise<string> {
  if (platform !== 'linux') return (await askPs(pid, 'command=')).replace(ENDED, '');
  return (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trim();
}

/** Whether the process of a number is of a program, run with some parameter: another one may have the number by now. */
export async function isRunningWith(pid: number, program: string, parameter: string): Promise<boolean> {
  const command = `${await commandOf(pid)} `;
  return command.includes(program) && command.includes(` ${parameter} `);
}

/** When a process started, to tell it from a later one with the same number; in words of the system, empty when there is none. */
export async function startOf(pid: number, platform: string = process.platform): Promise<string> {
  if (platform !== 'linux') return await askPs(pid, 'lstart=');
  const line = await readProc(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

/** Where there is no /proc: macOS. */
async function askPs(pid: number, column: string): Promise<string> {
  const options = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const { stdout } = await execute('ps', ['-ww', '-o', column, '-p', String(pid)], options).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}
