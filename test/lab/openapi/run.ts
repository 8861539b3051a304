import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in a folder, this one by default, and shows what it says; throws when it fails. */
export async function run(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = import.meta.dirname,
): Promise<void> {
  const child = spawn(program, parameters, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${[program, ...parameters].join(' ')} ended with ${code}`);
}
