import type { Command } from 'commander';
import { id, wholeNumber } from '../arguments.ts';
import type { Answer, Runner } from '../command.ts';
import { startProgress } from '../output/progress.ts';
import { Refusal } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import type { SubscriberOptions } from '../subscriber/gateway.ts';
import { answerOf, asSubscriberVerb } from '../subscriber/verb.ts';

interface Options extends SubscriberOptions {
  readonly timeout: number;
}

const DEFAULT_SECONDS = 300;

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, ['wait 1 --as builder'])
    .argument('<usage-id>', 'operation id, from usage.id of an answer', id)
    .option('--timeout <seconds>', 'longest wait', wholeNumber(1, 86_400), DEFAULT_SECONDS)
    .action(run(untilFinished));
}

async function untilFinished(context: SubscriberContext, usageId: bigint, options: Options): Promise<Answer> {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  const ends = AbortSignal.any([context.signal, AbortSignal.timeout(options.timeout * 1000)]);
  using progress = startProgress(context.stderr, `operation ${usageId}`);
  const operation = context.gateway(options).resume(Number(usageId), { signal: ends });
  try {
    const result = await operation.done({
      onProgress: ({ usage }) => progress.at(`${usage.status}, ${seconds()} s`),
    });
    return answerOf({ status: 'done', result }, operation.replayed);
  } catch (error) {
    if (!ends.aborted) throw error;
    throw new Refusal(`Operation ${usageId} is not finished after ${seconds()} s: wait again later.`);
  }
}
