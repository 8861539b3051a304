import type { Command } from 'commander';
import { asText, collect, id, wholeNumber } from '../arguments.ts';
import type { Runner, SubscriberContext } from '../command.ts';
import { observationText } from '../output/search-text.ts';
import { UsageError } from '../refusal.ts';
import { answerOf, asSubscriberVerb, type MeteredOptions, requestKeyOf, withRequestKey } from '../subscriber.ts';

interface Options extends MeteredOptions {
  readonly domain?: string[];
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'observations 1 --as builder',
    'observations --domain norvanridge-cold-storage.example --since 2026-01-01T00:00:00Z --as builder',
  ]);
  withRequestKey(verb.argument('[id]', 'one observation', id))
    .option('--domain <hostname>', 'website of a company, repeatable', collect(asText))
    .option('--since <timestamp>', 'only what was recorded later than this')
    .option('--limit <number>', 'observations a page', wholeNumber(1, 100))
    .option('--cursor <cursor>', 'the next page, from an answer')
    .action(
      run(async (context, observationId: bigint | undefined, options: Options) => {
        const { domain, since, limit, cursor } = options;
        const gateway = context.gateway(options);
        if (observationId !== undefined) {
          const { body } = await gateway.call({ path: `/api/observations/${observationId}` });
          return { json: body, text: observationText(body.observation as Parameters<typeof observationText>[0]) };
        }
        if (!domain || !since) throw new UsageError('Name an observation id, or --domain and --since.');
        const query = new URLSearchParams(domain.map((hostname): [string, string] => ['domains[]', hostname]));
        for (const [name, value] of Object.entries({ since, limit, cursor }))
          if (value !== undefined) query.set(name, String(value));
        const requestKey = requestKeyOf(options);
        return answerOf(await gateway.call({ path: `/api/observations?${query}`, requestKey }));
      }),
    );
}
