import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** The command that ps prints for a zombie process. */
const ENDED = /^\(\w+\)$|^.*<defunct>$/;

/** Program and parameters of a process in one line; empty for none or a zombie. */
export async function commandOf(pid: number, platform: string = process.platform): Promise<string> {
  if (platform !== 'linux') return (await askPs(pid, 'command=')).replace(ENDED, '');
  return (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trim();
}

/** Whether a pid belongs to this program with this parameter, because the system reuses pids. */
export async function isRunningWith(pid: number, program: string, parameter: string): Promise<boolean> {
  const command = `${await commandOf(pid)} `;
  return command.includes(program) && command.includes(` ${parameter} `);
}

/** Distinguishes a later process with the same pid; empty for none. */
export async function startOf(pid: number, platform: string = process.platform): Promise<string> {
  if (platform !== 'linux') return await askPs(pid, 'lstart=');
  const line = await readProc(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

/** For systems without /proc, such as macOS. */
async function askPs(pid: number, column: string): Promise<string> {
  const options = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const { stdout } = await execute('ps', ['-ww', '-o', column, '-p', String(pid)], options).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}
