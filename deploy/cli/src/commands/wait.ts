import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { id, wholeNumber } from '../arguments.ts';
import type { Runner, SubscriberContext } from '../command.ts';
import type { GatewayAnswer, SubscriberOptions } from '../gateway.ts';
import { startProgress } from '../output/progress.ts';
import { Refusal } from '../refusal.ts';
import { answerOf, asSubscriberVerb } from '../subscriber.ts';

interface Options extends SubscriberOptions {
  readonly timeout: number;
}

const DEFAULT_SECONDS = 300;
const POLL_SECONDS = 2;

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, ['wait 1 --as builder'])
    .argument('<usage-id>', 'the id in usage', id)
    .option('--timeout <seconds>', 'at most so long', wholeNumber(1, 86_400), DEFAULT_SECONDS)
    .action(
      run(async (context, usageId: bigint, options: Options) =>
        answerOf(await untilFinished(context, usageId, options)),
      ),
    );
}

async function untilFinished(context: SubscriberContext, usageId: bigint, options: Options): Promise<GatewayAnswer> {
  const gateway = context.gateway(options);
  const begun = performance.now();
  using progress = startProgress(context.stderr, `operation ${usageId}`);
  for (;;) {
    const answer = await gateway.call({ path: `/api/usages/${usageId}` });
    if (answer.status !== 202) return answer;
    const seconds = (performance.now() - begun) / 1000;
    if (seconds >= options.timeout || context.signal.aborted)
      throw new Refusal(
        `Operation ${usageId} is not finished after ${Math.round(seconds)} s: wait for it again later.`,
      );
    const { status } = answer.body.usage as { status: string };
    progress.at(`${status}, ${Math.round(seconds)} s`);
    const retryAfter = Number(answer.headers.get('retry-after')) || POLL_SECONDS;
    await pause(retryAfter * 1000, undefined, { signal: context.signal }).catch(() => undefined);
  }
}
