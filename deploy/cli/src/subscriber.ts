import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type Answer, asVerb } from './command.ts';
import type { GatewayAnswer } from './gateway.ts';
import { answerText } from './output/search-text.ts';

export interface MeteredOptions {
  readonly as?: string;
  readonly key?: string;
}

/** A verb of a subscriber: it chooses its bearer with --as or CES_TOKEN. */
export function asSubscriberVerb(verb: Command, examples: readonly string[]): Command {
  return asVerb(verb, examples).option(
    '--as <credential>',
    'builder, professional or sandbox of a local stack, instead of CES_TOKEN',
  );
}

/** For verbs that cost units: a retry with the same idempotency key costs nothing. */
export function withRequestKey(verb: Command): Command {
  return verb.option(
    '--key <key>',
    'Idempotency-Key; the same key and input again adds no charge (default: a new one)',
  );
}

export function requestKeyOf({ key }: MeteredOptions): string {
  return key ?? randomUUID();
}

/** What the gateway answered, and how to go on when it is still worked on. */
export function answerOf({ status, body, headers }: GatewayAnswer): Answer {
  if (status !== 202) return { json: body, text: withReplay(answerText(body), headers) };
  const { id } = body.usage as { id: number };
  return { json: body, text: `${answerText(body)}\n\nNot finished yet: npx ces wait ${id}` };
}

function withReplay(text: string, headers: Headers): string {
  return headers.get('idempotent-replayed') === 'true'
    ? `${text}\nreplayed: the key was known, nothing was charged`
    : text;
}
