import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PROGRAMS, type Program } from './programs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

process.exitCode = await main(process.argv[2], process.argv.slice(3));

/**
 * `npm run lab -- NAME [options]` runs a laboratory program. Without a name it lists all of them.
 */
async function main(name: string | undefined, parameters: readonly string[]): Promise<number> {
  if (name === undefined) {
    process.stdout.write(`npm run lab -- NAME [options]\n\n${list()}`);
    return 0;
  }
  const program = PROGRAMS.get(name);
  if (!program) {
    process.stderr.write(`There is no ${name} in the laboratory.\n\n${list()}`);
    return 2;
  }
  return await run(program, parameters);
}

function list(): string {
  const width = Math.max(...[...PROGRAMS.keys()].map((name) => name.length));
  return [...PROGRAMS].map(([name, { does, takes }]) => `${name.padEnd(width)}  ${does} (${takes})\n`).join('');
}

/** Runs the program in the repository root and forwards signals, so that it can clean up. */
async function run({ command }: Program, parameters: readonly string[]): Promise<number> {
  const [file = '', ...first] = command;
  const child = spawn(file, [...first, ...parameters], { cwd: ROOT, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
