import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { asVerb, type Runner } from '../command.ts';
import { rememberHint } from '../completion/hint.ts';
import type { SubscriberContext } from '../subscriber/context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const ENTRY = path.resolve(import.meta.dirname, '../../bin/ces.mjs');

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asVerb(verb, ['completion bash', 'completion zsh', 'completion fish'])
    .addArgument(new Argument('<shell>', 'name of the shell').choices(SHELLS))
    .addHelpText('after', HOW)
    .action(
      run(async ({ env }, shell: (typeof SHELLS)[number]) => {
        rememberHint(env);
        const script = await readFile(path.join(import.meta.dirname, `../completion/ces.${shell}`), 'utf8');
        // By absolute path: npx is too slow for every key press, and `ces` may not be on the PATH.
        const text = script.replaceAll('@CES@', [process.execPath, ENTRY].map(quoted).join(' ')).trimEnd();
        return { json: { shell, script: text }, text };
      }),
    );
}

const HOW = `
For this shell, which can then also run ces without npx:
  bash  source <(npx ces completion bash)
  zsh   source <(npx ces completion zsh)
  fish  npx ces completion fish | source

For every new shell, add the line to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
