import { type Command, Option } from 'commander';
import { instantArgument, wholeNumber } from '../arguments.ts';
import type { Runner } from '../command.ts';
import type { SubscriberOptions } from '../gateway.ts';
import type { Body } from '../output/search-text.ts';
import { brief, instant, table } from '../output/table.ts';
import { addSubscriberVerb } from '../subscriber.ts';

const ACTIONS = ['company_search', 'observation_search', 'company_lookup', 'observation_lookup', 'diagnostic'];
const STATUSES = ['pending', 'processing', 'delivered', 'failed'];
const KEY_WIDTH = 36;
const QUERY_WIDTH = 40;

interface Options extends SubscriberOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly action?: string;
  readonly status?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addUsages(program: Command, run: Runner): void {
  addSubscriberVerb(program, 'usages', "lists the account's own operations, newest first; costs nothing", [
    'usages --as builder',
    'usages --as builder --action company_search --status failed --since 2026-11-01T00:00:00Z',
  ])
    .option('--since <instant>', 'accepted at this instant or later', instantArgument)
    .option('--until <instant>', 'accepted before this instant', instantArgument)
    .addOption(new Option('--action <action>', 'only what does this').choices(ACTIONS))
    .addOption(new Option('--status <status>', 'only in this state').choices(STATUSES))
    .option('--limit <number>', 'how many (default 50)', wholeNumber(1, 100))
    .option('--cursor <cursor>', 'the next page, as the page before names it, with the same filters')
    .action(
      run(async (context, options: Options) => {
        const { body } = await context.gateway(options).call({ path: `/api/usages?${queryOf(options)}` });
        return { json: body, text: describe(body) };
      }),
    );
}

function queryOf({ since, until, action, status, limit, cursor }: Options): URLSearchParams {
  const given = { since: since?.toISOString(), until: until?.toISOString(), action, status, limit, cursor };
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)] as [string, string]));
}

function describe(body: Body): string {
  const usages = body.usages as readonly Body[];
  const next = typeof body.next_cursor === 'string' ? `\n\nnext page  --cursor ${body.next_cursor}` : '';
  const empty = next === '' ? 'There are no such operations.' : 'There are none on this page.';
  const head = ['usage', 'accepted', 'action', 'status', 'request', 'delivered', 'fresh', 'key', 'query'];
  return `${table(head, usages.map(rowOf), empty)}${next}`;
}

function rowOf({ usage, action, query, created_at, error }: Body) {
  const { id, status, request_units, delivered_units, fresh_evidence_units, request_key } = usage as Record<
    string,
    string
  >;
  const { code } = (error ?? {}) as { code?: string };
  return [
    ...[id, instant(created_at), String(action), code === undefined ? status : `${status}: ${code}`],
    ...[request_units, delivered_units, fresh_evidence_units],
    ...[brief(String(request_key), KEY_WIDTH), brief(String(query ?? ''), QUERY_WIDTH)],
  ];
}
