import type { Command } from 'commander';
import type { Runner } from '../command.ts';
import { candidatesFor } from '../completion/candidates.ts';
import { openLocalStack } from '../local-stack.ts';
import type { SubscriberContext } from '../subscriber/context.ts';

/** Prints a candidate a line for `ces completion`, description after a tab; `:files` for files. */
export function define(verb: Command, run: Runner<SubscriberContext>): void {
  verb.argument('[words...]', 'words of the command line after ces, up to the current word').action(
    run(async ({ stdout, dataDirectory }, words: string[]) => {
      const known = { as: Object.keys(openLocalStack(dataDirectory).ready()?.credentials ?? {}) };
      const found = candidatesFor(verb.parent ?? verb, words, known);
      const lines = found === 'files' ? [':files'] : found.map(({ value, description }) => `${value}\t${description}`);
      stdout.write(lines.map((line) => `${line}\n`).join(''));
      return undefined;
    }),
  );
}
