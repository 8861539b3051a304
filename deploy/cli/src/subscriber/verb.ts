import { createRequestKey, type Operation, type OperationAnswer, type Price } from '@ces/client';
import { type Command, InvalidArgumentError } from 'commander';
import { type Answer, asVerb } from '../command.ts';
import { answerText, type Body } from '../output/search-text.ts';

export interface MeteredOptions {
  readonly as?: string;
  readonly key?: string;
}

export function asSubscriberVerb(verb: Command, examples: readonly string[]): Command {
  return asVerb(verb, examples).option(
    '--as <credential>',
    'use a key of the local stack instead of CES_TOKEN: builder, professional or sandbox',
  );
}

export function withRequestKey(verb: Command): Command {
  return verb.option(
    '--key <key>',
    'set the Idempotency-Key; the same key and input add no further charge (default: a new key)',
    requestKey,
  );
}

export function requestKeyOf({ key }: MeteredOptions): string {
  return key ?? createRequestKey();
}

export async function submit<Result>(operation: Operation<Result, string | undefined>): Promise<Answer> {
  return answerOf(await operation.submit(), operation.replayed);
}

export function answerOf(answer: OperationAnswer<unknown>, replayed: boolean): Answer {
  if (answer.status === 'done') {
    const body = answer.result as Body;
    const text = answerText(body);
    return { json: body, text: replayed ? `${text}\nreplayed: the key is known, nothing more was charged` : text };
  }
  const { usage, allowance } = answer;
  const body = { usage, request_allowance: allowance };
  return { json: body, text: `${answerText(body)}\n\nNot finished. Wait with npx ces wait ${usage.id}` };
}

export function priceText({ requestUnits, deliveredUnits }: Price): string {
  return `${unitsText(requestUnits, 'request')} and ${unitsText(deliveredUnits, 'delivered')}`;
}

function unitsText(count: number, kind: string): string {
  return `${count.toLocaleString('en-US')} ${kind} unit${count === 1 ? '' : 's'}`;
}

function requestKey(text: string): string {
  if (text.trim() === '' || [...text].length > 1024 || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('It must have 1 to 1024 characters and no control characters.');
  return text;
}
