import type { StatementEntry, UsageStatement } from '@ces/client';
import type { Command } from 'commander';
import type { Runner } from '../command.ts';
import { csv } from '../output/csv.ts';
import { startProgress } from '../output/progress.ts';
import { brief, count, instant, list, table } from '../output/table.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import type { SubscriberOptions } from '../subscriber/gateway.ts';
import { given } from '../subscriber/search-filters.ts';
import { asSubscriberVerb } from '../subscriber/verb.ts';
import { WHEN, type When, whenArgument } from '../when.ts';

const PAGE = 1_000;
const KEY_WIDTH = 36;
const UNITS = ['request_units', 'delivered_units', 'fresh_evidence_units'] as const;

interface Options extends SubscriberOptions {
  readonly since?: When;
  readonly until?: When;
  readonly csv?: boolean;
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'statement --as builder',
    'statement --as builder --since 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z --csv',
  ])
    .option(
      '--since <when>',
      `limit to entries settled then or later, ${WHEN} (default: the start of the period)`,
      whenArgument,
    )
    .option('--until <when>', 'limit to entries settled before then (default: now)', whenArgument)
    .option('--csv', 'print the entries as CSV')
    .action(
      run(async (context, options: Options) => {
        const statement = await readWhole(context, options);
        return { json: statement, text: options.csv ? toCsv(statement) : describe(statement) };
      }),
    );
}

async function readWhole(context: SubscriberContext, options: Options): Promise<UsageStatement> {
  const client = context.gateway(options);
  const nowMs = context.clock.now();
  const interval = { ...given({ since: options.since?.(nowMs), until: options.until?.(nowMs) }), limit: PAGE };
  const { signal } = context;
  using progress = startProgress(context.stderr, 'statement');
  const first = await client.getStatement(interval, { signal });
  const entries = [...first.entries];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    progress.at(`${count(entries.length)} entries`);
    const page = await client.getStatement({ ...interval, cursor }, { signal });
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  return { ...first, entries, next_cursor: null };
}

const HEAD = ['settled_at', 'usage_id', 'kind', 'action', ...UNITS, 'request_key', 'reason'];

function toCsv({ entries }: UsageStatement): string {
  return csv(
    HEAD,
    entries.map((entry) => HEAD.map((name) => entry[name as keyof StatementEntry])),
  );
}

function describe({ subscription, since, until, as_of, entries, totals }: UsageStatement): string {
  const facts = list([
    ['plan', `${subscription.plan}, ${subscription.status}`],
    ['settled', `${instant(since)} to ${instant(until)}`],
    ['as of', instant(as_of)],
    ['entries', count(entries.length)],
  ]);
  const rows = entries.map((entry) => [
    ...[instant(entry.settled_at), entry.usage_id, entry.reason ?? entry.kind, entry.action],
    ...UNITS.map((name) => entry[name]),
    brief(entry.request_key ?? '', KEY_WIDTH),
  ]);
  const head = ['settled', 'usage', 'kind', 'action', 'request', 'delivered', 'fresh', 'request key'];
  const total = ['total', null, '', '', ...UNITS.map((name) => count(totals[name])), ''];
  const shown = entries.length > 0 ? [...rows, total] : [];
  return `${facts}\n\n${table(head, shown, 'No entries.')}`;
}
