import { readFile } from 'node:fs/promises';
import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import pg from 'pg';
import { percentile } from '../../support/figures.ts';
import { familySeconds, processorSeconds } from '../../support/processor-time.ts';
import type { BenchServer } from '../../support/server.ts';

export async function readCommits({ superuserUrl }: BenchServer): Promise<number> {
  return await readNumber(
    superuserUrl,
    `select sum(xact_commit)::bigint as n from pg_stat_database where datname <> 'postgres'`,
  );
}

/** Bytes of tables and indexes, by database. */
export async function readSizes({ databases }: BenchServer): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const [name, { ownerUrl }] of databases) sizes.set(name, await readNumber(ownerUrl, SIZE));
  return sizes;
}

const SIZE = `select sum(pg_total_relation_size(oid)) as n from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

async function readNumber(connectionString: string, query: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: unknown }>(query);
    return Number(rows[0]?.n ?? 0);
  } finally {
    await client.end();
  }
}

/** Processor seconds by program. Postgres includes all its backends. */
export function readProcessorTimes(pids: Readonly<Record<string, number>>, postgresPid: number): Map<string, number> {
  const programs = Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)] as const);
  return new Map([...programs, ['postgres', familySeconds(postgresPid)]]);
}

export interface TraceCosts {
  readonly requests: number;
  readonly rpcs: number;
  readonly statements: number;
  /** Duration without the ranking statement, in ms. For a look-up, the whole duration. */
  readonly besideRankingMs: number;
}

export async function readTraceCosts(file: string, route: string): Promise<TraceCosts> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const spans = lines.map((line) => JSON.parse(line) as TraceLine);
  const roots = spans.filter(
    ({ name, attributes }) => name === route && attributes['http.response.status_code'] === 200,
  );
  const byTrace = Map.groupBy(spans, ({ trace_id }) => trace_id);
  const costs = roots.map((root) => costsOf(root, byTrace.get(root.trace_id) ?? []));
  const median = (pick: (cost: TraceCosts) => number) => percentile(costs.map(pick), 0.5);
  return {
    requests: roots.length,
    rpcs: median((cost) => cost.rpcs),
    statements: median((cost) => cost.statements),
    besideRankingMs: median((cost) => cost.besideRankingMs),
  };
}

function costsOf(root: TraceLine, spans: readonly TraceLine[]): TraceCosts {
  const statements = spans.filter(({ attributes }) => attributes['db.system.name'] !== undefined);
  const searching = statements.filter(({ service }) => service === 'search').map(durationOf);
  return {
    requests: 1,
    rpcs: spans.filter(({ kind, attributes }) => kind === 'server' && attributes['rpc.method'] !== undefined).length,
    statements: statements.length,
    besideRankingMs: durationOf(root) - Math.max(0, ...searching),
  };
}

function durationOf({ start_ms, end_ms }: TraceLine): number {
  return end_ms - start_ms;
}
