import { visibleText } from '@ces/proto/visible-text';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Runner } from '../command.ts';
import { asJson } from '../output/json.ts';
import { observationText } from '../output/search-text.ts';
import { canAsk, openQuestions } from '../questions.ts';
import { Refusal, UsageError } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { type FilterOptions, filtersOf, withFilters } from '../subscriber/search-filters.ts';
import { asSubscriberVerb, priceText } from '../subscriber/verb.ts';
import { intervalArgument, watchPriceText } from '../watch/price.ts';
import { noStateKeeper, openState, type WatchState } from '../watch/state-file.ts';
import { firstState, watch } from '../watch/watch.ts';
import { type FoundObservation, type Watched, watchedDomains, watchedSearch } from '../watch/watched.ts';
import { WHEN, type When, whenArgument } from '../when.ts';

interface Options extends FilterOptions {
  readonly as?: string;
  readonly every: number;
  readonly since?: When;
  readonly limit: number;
  readonly maxUnits?: number;
  readonly state?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const EVERY_MS = 15 * 60_000;
/** The page size that every plan allows. */
const LIMIT = 25;

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'watch "battery plants" --as builder',
    'watch "boiler maintenance tenders" --country CA --every 6h --max-units 200 --state tenders.json --yes --json',
    'watch --domain acme.example --domain northwind.example --every 1d',
  ]);
  withFilters(verb.argument('[query]', 'query in plain words; without it: every new observation of each --domain'))
    .addOption(
      new Option('--every <interval>', 'pause between rounds, such as 15m, 6h or 1d; at least 1m')
        .argParser(intervalArgument)
        .default(EVERY_MS, '15m'),
    )
    .option(
      '--since <when>',
      `start with observations collected since then, ${WHEN} (default: one interval ago)`,
      whenArgument,
    )
    .option('--limit <number>', 'companies per page', wholeNumber(1, 1000), LIMIT)
    .option(
      '--max-units <number>',
      'stop before spending more request and delivered units than this',
      wholeNumber(2, 1e9),
    )
    .option('--state <file>', 'store the state in this file and continue from it; created if absent')
    .option('--yes', 'agree to the price without a question')
    .action(run(watchAll));
}

async function watchAll(context: SubscriberContext, query: string | undefined, options: Options): Promise<undefined> {
  const watched = watchedOf(query, options);
  const { every: everyMs, limit, maxUnits, state: file } = options;
  const { stdout, stderr, signal, clock } = context;
  const say = (line: string) => void stderr.write(`${visibleText(line)}\n`);
  const client = context.gateway(options);
  const since = new Date(options.since?.(clock.now()) ?? clock.now() - everyMs).toISOString();
  const { found, keeper } =
    file === undefined ? { found: undefined, keeper: noStateKeeper } : await openState(file, watched.identity);
  await agree(context, options, watchPriceText(watched, everyMs, limit, maxUnits));
  if (signal.aborted) throw new Refusal('Interrupted. Nothing was spent.');
  const write = options.json
    ? (observation: FoundObservation) => `${asJson(observation)}\n`
    : (observation: FoundObservation) => `${visibleText(observationText(observation))}\n`;
  const end = await watch(watched, { everyMs, limit, maxUnits }, found ?? firstState(watched, since, clock.now()), {
    ...{ client, clock, signal, say },
    keeper,
    show: (observation) => void stdout.write(write(observation)),
  });
  say(spentText(end));
}

function watchedOf(query: string | undefined, options: Options): Watched {
  if (query !== undefined) return watchedSearch(query, filtersOf(options));
  const { domain: domains, ...others } = options;
  if (!domains) throw new UsageError('Give a query, or --domain for each company.');
  if (filtersOf(others))
    throw new UsageError('Without a query, --domain allows no other filters: add a query, or remove the filters.');
  return watchedDomains(domains);
}

/** A watch spends units without further questions, so it needs consent first. */
async function agree(context: SubscriberContext, { yes }: Options, price: string): Promise<void> {
  if (!yes && !canAsk(context)) throw new UsageError(`${price} Add --yes to agree.`);
  context.stderr.write(`${price}\n`);
  if (yes) return;
  const questions = await openQuestions(context, '');
  if (!(await questions.confirm('Begin?'))) throw new Refusal('You did not agree to the price. Nothing was spent.');
}

function spentText({ rounds, spent }: WatchState): string {
  const price = priceText({ requestUnits: spent.request, deliveredUnits: spent.delivered });
  return `Stopped after ${rounds} finished round${rounds === 1 ? '' : 's'}; spent ${price}.`;
}
