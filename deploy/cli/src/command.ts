import type { Readable } from 'node:stream';
import type { CesClient } from '@ces/client';
import { type Command, Option } from 'commander';
import type { SubscriberOptions } from './gateway.ts';
import type { Stack } from './stack.ts';
import type { Clock } from './watch/clock.ts';

/** What a command may use of the world. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Absent where nobody can be asked. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** Absent: that of the machine. */
  readonly clock?: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What a subscriber's verb gets beside its arguments: nothing that loads the code of RPCs. */
export interface SubscriberContext extends World {
  /** Folder of the local stack. */
  readonly dataDirectory: string;
  /** The public interface as the subscriber that `--as` or CES_TOKEN names. */
  gateway(options: SubscriberOptions): CesClient;
  /** The services behind it, for what an operator alone may ask. */
  openStack(): Promise<Stack>;
}

/** What an operator's verb gets beside its arguments. */
export interface Context extends World {
  readonly stack: Stack;
  /** Why this is done, for audit rows; never empty where the verb changes something (addChange). */
  readonly reason: string;
  /** Folder of the local stack. */
  readonly dataDirectory: string;
}

/** What a command answers: one value for --json, one text for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** True: what was asked was done and the finding is bad; exit code 1. */
  readonly failed?: boolean;
}

/** Turns an action into one that commander calls, which prints its answer; undefined: it has printed all that there is. */
export type Runner<C = Context> = <A extends unknown[]>(
  action: (context: C, ...parameters: A) => Promise<Answer | undefined>,
) => (...parameters: A) => Promise<void>;

/** A verb with its arguments as in `create <name>`, and examples that run as they stand. */
export function addVerb(parent: Command, usage: string, summary: string, examples: readonly string[]): Command {
  return asVerb(parent.command(usage).description(summary), examples);
}

/** A verb that changes something: it takes `--reason`, else CES_REASON, and is not run without one. */
export function addChange(parent: Command, usage: string, summary: string, examples: readonly string[]): Command {
  return asChange(parent.command(usage).description(summary), examples);
}

/** Gives a command what every verb has: `--json`, and examples that run as they stand. */
export function asVerb(verb: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npx ces ${example}`);
  return verb.option('--json', 'print JSON instead of tables').addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Gives a command what every verb has that changes something; `usualReason` stands where neither is given. */
export function asChange(verb: Command, examples: readonly string[], usualReason?: string): Command {
  const said = examples.map((example) =>
    usualReason !== undefined || example.includes('--reason') ? example : `${example} --reason "as agreed"`,
  );
  const usual = usualReason === undefined ? 'CES_REASON' : `CES_REASON, else "${usualReason}"`;
  return asVerb(verb, said).addOption(new Option(REASON, 'why, for the audit; kept').default(usualReason, usual));
}

const REASON = '--reason <text>';

/** Whether a verb changes something. */
export function isChange(verb: Command): boolean {
  return verb.options.some(({ flags }) => flags === REASON);
}
