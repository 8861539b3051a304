import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { asVerb, type Runner, type SubscriberContext } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const ENTRY = path.resolve(import.meta.dirname, '../../bin/ces.mjs');

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asVerb(verb, ['completion bash', 'completion zsh', 'completion fish'])
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addHelpText('after', HOW)
    .action(
      run(async (_context, shell: (typeof SHELLS)[number]) => {
        const script = await readFile(path.join(import.meta.dirname, `../completion/ces.${shell}`), 'utf8');
        // By absolute path: npx is too slow for every key press, and `ces` may not be on the PATH.
        const text = script.replaceAll('@CES@', [process.execPath, ENTRY].map(quoted).join(' ')).trimEnd();
        return { json: { shell, script: text }, text };
      }),
    );
}

const HOW = `
In this shell alone, which then knows ces itself, without npx:
  bash  source <(npx ces completion bash)
  zsh   source <(npx ces completion zsh)
  fish  npx ces completion fish | source

In every new one, add such a line to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
