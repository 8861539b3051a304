import { type CompanySearchInput, priceOf } from '@ces/client';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Answer, Runner } from '../command.ts';
import type { Body } from '../output/search-text.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { type FilterOptions, filtersOf, given, withFilters } from '../subscriber/search-filters.ts';
import {
  answerOf,
  asSubscriberVerb,
  type MeteredOptions,
  priceText,
  requestKeyOf,
  withRequestKey,
} from '../subscriber/verb.ts';
import { WHEN, type When, whenArgument } from '../when.ts';

interface Options extends MeteredOptions, FilterOptions {
  readonly limit?: number;
  readonly target?: number;
  readonly background?: boolean;
  readonly cursor?: string;
  readonly observedAfter?: string;
  readonly since?: When;
  readonly explain?: boolean;
  readonly price?: boolean;
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'search "boiler maintenance tenders" --as builder',
    'search "boiler maintenance tenders" --limit 20 --price',
    'search "battery plants" --kind facility_expansion --country US --since 90d --target 50 --as professional',
    'search "solar panel makers" --kind company_profile --background --as builder',
  ]);
  withFilters(withRequestKey(verb).argument('<query>', 'query in plain words'))
    .addOption(
      new Option('--since <when>', `the same as --occurred-after, ${WHEN}`)
        .argParser(whenArgument)
        .conflicts('occurredAfter'),
    )
    .option('--observed-after <timestamp>', 'limit to observations collected since this instant')
    .option('--limit <number>', 'companies per page', wholeNumber(1, 1000))
    .option('--target <number>', 'companies wanted on all pages', wholeNumber(1, 1000))
    .option('--background', 'return at once; get the result with npx ces wait')
    .option('--cursor <cursor>', 'show the next page, by the cursor of an answer and the same other arguments')
    .option('--price', 'show the highest price and send nothing')
    .option('--explain', 'show the matched words and the score parts of each company; for administrators')
    .action(run(search));
}

async function search(context: SubscriberContext, query: string, options: Options): Promise<Answer> {
  const price = priceOf.search({ limit: options.limit, target: options.target });
  const priced = `The search costs at most ${priceText(price)}.`;
  if (options.price)
    return { json: { request_units: price.requestUnits, delivered_units: price.deliveredUnits }, text: priced };
  if (context.stderr.isTTY) context.stderr.write(`${priced}\n`);
  const operation = context.gateway(options).searchCompanies(inputOf(query, options, context.clock.now()), {
    requestKey: requestKeyOf(options),
    ...(options.background && { background: true }),
  });
  const found = await operation.submit();
  const answer = answerOf(found, operation.replayed);
  if (!options.explain || found.status !== 'done') return answer;
  const { explain } = await import('../operator/explain.ts');
  const { json, text } = await explain(await context.openStack(), found.result as unknown as Body);
  return { json, text: `${answer.text}\n\n${text}` };
}

function inputOf(query: string, { since, ...options }: Options, nowMs: number): CompanySearchInput {
  const { limit, target, cursor, observedAfter } = options;
  const dated = since === undefined ? options : { ...options, occurredAfter: since(nowMs) };
  return { query, ...given({ filters: filtersOf(dated, observedAfter), limit, target, cursor }) };
}
