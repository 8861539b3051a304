import type { ListedUsage, Usage, UsageAction, UsageFilter, UsageList } from '@ces/client';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Runner } from '../command.ts';
import { brief, instant, table } from '../output/table.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import type { SubscriberOptions } from '../subscriber/gateway.ts';
import { given } from '../subscriber/search-filters.ts';
import { asSubscriberVerb } from '../subscriber/verb.ts';
import { WHEN, type When, whenArgument } from '../when.ts';

const ACTIONS = ['company_search', 'observation_search', 'company_lookup', 'observation_lookup', 'diagnostic'];
const STATUSES = ['pending', 'processing', 'delivered', 'failed'];
const KEY_WIDTH = 36;
const QUERY_WIDTH = 40;

interface Options extends SubscriberOptions {
  readonly since?: When;
  readonly until?: When;
  readonly action?: UsageAction;
  readonly status?: Usage['status'];
  readonly limit?: number;
  readonly cursor?: string;
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'usages --as builder',
    'usages --as builder --action company_search --status failed --since 30d',
  ])
    .option('--since <when>', `limit to operations accepted then or later, ${WHEN}`, whenArgument)
    .option('--until <when>', 'limit to operations accepted before then', whenArgument)
    .addOption(new Option('--action <action>', 'limit to this action').choices(ACTIONS))
    .addOption(new Option('--status <status>', 'limit to this status').choices(STATUSES))
    .option('--limit <number>', 'number of operations (default 50)', wholeNumber(1, 100))
    .option('--cursor <cursor>', 'show the next page, by the cursor of the previous page and the same filters')
    .action(
      run(async (context, options: Options) => {
        const { since, until, ...others } = options;
        const { action, status, limit, cursor } = others;
        const nowMs = context.clock.now();
        const interval = { since: since?.(nowMs), until: until?.(nowMs) };
        const filter: UsageFilter = given({ ...interval, action, status, limit, cursor });
        const page = await context.gateway(options).listUsages(filter);
        return { json: page, text: describe(page) };
      }),
    );
}

function describe({ usages, next_cursor: cursor }: UsageList): string {
  const next = cursor === null ? '' : `\n\nnext page  --cursor ${cursor}`;
  const empty = next === '' ? 'No operations.' : 'No operations on this page.';
  const head = ['usage', 'accepted', 'action', 'status', 'request', 'delivered', 'fresh', 'request key', 'query'];
  return `${table(head, usages.map(rowOf), empty)}${next}`;
}

function rowOf({ usage, action, query, created_at, error }: ListedUsage) {
  const { id, status, request_units, delivered_units, fresh_evidence_units, request_key } = usage;
  return [
    ...[id, instant(created_at), action, error === null ? status : `${status}: ${error.code}`],
    ...[request_units, delivered_units, fresh_evidence_units],
    ...[brief(request_key, KEY_WIDTH), brief(query ?? '', QUERY_WIDTH)],
  ];
}
