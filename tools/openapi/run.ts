import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program from this folder and shows what it says; throws when it fails. */
export async function run(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, parameters, {
    cwd: import.meta.dirname,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${[program, ...parameters].join(' ')} ended with ${code}`);
}
