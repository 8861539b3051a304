import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../command.ts';
import { configDirectory } from '../credentials/config-directory.ts';

const COMMANDS: Readonly<Record<string, string>> = {
  bash: 'source <(npx ces completion bash)',
  zsh: 'source <(npx ces completion zsh)',
  fish: 'npx ces completion fish | source',
};

/** Tells a person at a terminal once that there is completion, in the words of their shell. */
export function hintAtCompletion({ env, stdin, stderr }: World): void {
  const command = COMMANDS[path.basename(env.SHELL ?? '')];
  if (command === undefined || env.CI || stdin?.isTTY !== true || stderr.isTTY !== true) return;
  if (rememberHint(env)) stderr.write(`Tip, shown once: "${command}" completes commands and makes them faster.\n`);
}

/** True the first time. False also when it cannot be remembered, because a tip must not repeat. */
export function rememberHint(env: NodeJS.ProcessEnv): boolean {
  const directory = configDirectory(env);
  if (directory === undefined) return false;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(directory, 'completion-hint'), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
