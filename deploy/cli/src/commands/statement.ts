import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { instantArgument } from '../arguments.ts';
import type { Context, Runner } from '../command.ts';
import type { Gateway, SubscriberOptions } from '../gateway.ts';
import { csv } from '../output/csv.ts';
import { startProgress } from '../output/progress.ts';
import { brief, count, instant, list, table } from '../output/table.ts';
import { Refusal } from '../refusal.ts';
import { addSubscriberVerb } from '../subscriber.ts';

const PAGE = 1_000;
const KEY_WIDTH = 36;
/** A page refused for how many were read is asked for again after so long, unless the answer says how long, in seconds. */
const AGAIN_SECONDS = 1;
const UNITS = ['request_units', 'delivered_units', 'fresh_evidence_units'] as const;

interface Options extends SubscriberOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly csv?: boolean;
}

type Units = Readonly<Record<(typeof UNITS)[number], number>>;

interface Entry extends Units {
  readonly usage_id: number;
  readonly request_key: string | null;
  readonly action: string | null;
  readonly settled_at: string;
  readonly kind: string;
  readonly reason: string | null;
}

interface Statement {
  readonly subscription: Readonly<Record<string, string>>;
  readonly since: string;
  readonly until: string;
  readonly as_of: string;
  readonly entries: readonly Entry[];
  readonly totals: Units;
  readonly next_cursor: string | null;
}

export function addStatement(program: Command, run: Runner): void {
  addSubscriberVerb(program, 'statement', 'lists what was settled in an interval, with totals; costs nothing', [
    'statement --as builder',
    'statement --as builder --since 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z --csv',
  ])
    .option('--since <instant>', 'settled at this instant or later (default: the start of the period)', instantArgument)
    .option('--until <instant>', 'settled before this instant (default: now)', instantArgument)
    .option('--csv', 'print the entries as comma-separated values')
    .action(
      run(async (context, options: Options) => {
        const statement = await readWhole(context, options);
        return { json: statement, text: options.csv ? toCsv(statement) : describe(statement) };
      }),
    );
}

/** All pages as one, as of the first. */
async function readWhole(context: Context, options: Options): Promise<Statement> {
  const gateway = context.gateway(options);
  const { since, until } = options;
  const query = {
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    limit: String(PAGE),
  };
  using progress = startProgress(context.stderr, 'statement');
  const first = await readPage(gateway, query, context.signal);
  const entries = [...first.entries];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    progress.at(`${count(entries.length)} entries`);
    const page = await readPage(gateway, { ...query, cursor }, context.signal);
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  return { ...first, entries, next_cursor: null };
}

async function readPage(
  gateway: Gateway,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Statement> {
  for (;;) {
    try {
      const { body } = await gateway.call({ path: `/api/usage/statement?${new URLSearchParams(query)}` });
      return body as unknown as Statement;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error;
      const { error: said } = error.body as { error?: { retry_after_seconds?: number } };
      await pause((said?.retry_after_seconds ?? AGAIN_SECONDS) * 1_000, undefined, { signal });
    }
  }
}

const HEAD = ['settled_at', 'usage_id', 'kind', 'action', ...UNITS, 'request_key', 'reason'];

function toCsv({ entries }: Statement): string {
  return csv(
    HEAD,
    entries.map((entry) => HEAD.map((name) => entry[name as keyof Entry])),
  );
}

function describe({ subscription, since, until, as_of, entries, totals }: Statement): string {
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
  const head = ['settled', 'usage', 'kind', 'action', 'request', 'delivered', 'fresh', 'key'];
  const total = ['total', null, '', '', ...UNITS.map((name) => count(totals[name])), ''];
  const shown = entries.length > 0 ? [...rows, total] : [];
  return `${facts}\n\n${table(head, shown, 'Nothing was settled.')}`;
}
