import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';

export interface Clock {
  now(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: async (ms, signal) => await sleep(ms, undefined, { signal }).catch(() => undefined),
};

export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Absent: the command asks no questions. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** Absent: the system's. */
  readonly clock?: Clock;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** The finding is bad, so the exit code is 1. */
  readonly failed?: boolean;
}

/** Undefined prints nothing more. */
export type Runner<C> = <A extends unknown[]>(
  action: (context: C, ...parameters: A) => Promise<Answer | undefined>,
) => (...parameters: A) => Promise<void>;

export function addVerb(parent: Command, usage: string, summary: string, examples: readonly string[]): Command {
  return asVerb(parent.command(usage).description(summary), examples);
}

/** Needs `--reason` or CES_REASON, because it changes something. */
export function addChange(parent: Command, usage: string, summary: string, examples: readonly string[]): Command {
  return asChange(parent.command(usage).description(summary), examples);
}

export function asVerb(verb: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npx ces ${example}`);
  return verb.option('--json', 'print JSON instead of tables').addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function asChange(verb: Command, examples: readonly string[], usualReason?: string): Command {
  const said = examples.map((example) =>
    usualReason !== undefined || example.includes('--reason') ? example : `${example} --reason "as agreed"`,
  );
  const usual = usualReason === undefined ? 'CES_REASON' : `CES_REASON, else "${usualReason}"`;
  return asVerb(verb, said).addOption(new Option(REASON, 'reason, for the audit log').default(usualReason, usual));
}

const REASON = '--reason <text>';

export function isChange(verb: Command): boolean {
  return verb.options.some(({ flags }) => flags === REASON);
}
