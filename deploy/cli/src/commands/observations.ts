import type { Command } from 'commander';
import { asText, collect, id, wholeNumber } from '../arguments.ts';
import type { Runner } from '../command.ts';
import { observationText } from '../output/search-text.ts';
import { UsageError } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { given } from '../subscriber/search-filters.ts';
import { asSubscriberVerb, type MeteredOptions, requestKeyOf, submit, withRequestKey } from '../subscriber/verb.ts';
import { WHEN, type When, whenArgument } from '../when.ts';

interface Options extends MeteredOptions {
  readonly domain?: string[];
  readonly since?: When;
  readonly limit?: number;
  readonly cursor?: string;
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'observations 1 --as builder',
    'observations --domain norvanridge-cold-storage.example --since 30d --as builder',
  ]);
  withRequestKey(verb.argument('[id]', 'observation id', id))
    .option('--domain <hostname>', 'domain of a company, repeatable', collect(asText))
    .option('--since <when>', `limit to observations recorded after then, ${WHEN}`, whenArgument)
    .option('--limit <number>', 'observations per page', wholeNumber(1, 100))
    .option('--cursor <cursor>', 'show the next page, by the cursor of an answer')
    .action(
      run(async (context, observationId: bigint | undefined, options: Options) => {
        const { domain: domains, since, limit, cursor } = options;
        const gateway = context.gateway(options);
        if (observationId !== undefined) {
          const body = await gateway.getObservation(Number(observationId));
          return { json: body, text: observationText(body.observation) };
        }
        if (!domains || !since) throw new UsageError('Use an observation id, or --domain and --since.');
        const nowMs = context.clock.now();
        const asked = { domains, since: since(nowMs), ...given({ limit, cursor }) };
        return await submit(gateway.lookUpObservations(asked, { requestKey: requestKeyOf(options) }));
      }),
    );
}
