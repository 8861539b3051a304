import { readFile } from 'node:fs/promises';
import { table } from '@ces/cli/output/table';
import { seeded } from '../../support/random.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { populate } from '../load/evidence.ts';
import { AMPLE, createAccount, type LedgerAdmin } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { percentile } from '../support/figures.ts';
import { type ClientsOptions, KINDS, type Kind, type Tally } from './overload/clients.ts';
import { callFrom } from './overload/clients-process.ts';

const USAGE =
  'npm run lab -- overload [--seconds N] [--rounds N] [--clients N] [--accounts N] [--crowd-seconds N] [--seed S]';
const text = { type: 'string' } as const;
const { values } = readArguments(USAGE, {
  seconds: text,
  rounds: text,
  clients: text,
  accounts: text,
  'crowd-seconds': text,
  seed: text,
});
const seconds = atLeastOne(values.seconds, 30);
const rounds = atLeastOne(values.rounds, 3);
const clients = atLeastOne(values.clients, 200);
const accounts = atLeastOne(values.accounts, 80);
/** The promise (R24) covers five minutes. */
const crowdSeconds = atLeastOne(values['crowd-seconds'], 300);
const CLIENTS_AN_ACCOUNT = 16;
const seed = values.seed ?? String(Date.now());

const POLITE = { clients: 2, pauseMs: 50 };
const WARM_UP_SECONDS = 10;
/** Keeps the shipped limits, because the test checks them. */
const SETTINGS = { CES_LOG_LEVEL: 'warn' };
/** Latency objectives in ms, as in the chart's alerting rules. */
const OBJECTIVES: Readonly<Record<Kind, number>> = { 'look-up': 300, search: 2_000 };

process.exitCode = await main();

/**
 * R24: measures what one flooding account costs another, and what a crowd of accounts costs
 * admitted callers.
 */
async function main(): Promise<number> {
  console.log(`overload: ${rounds} rounds of ${seconds} s, ${clients} clients, ${accounts} accounts, seed ${seed}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random, direct: true });
  const { ledger: admin } = await populate(cluster);
  const baseUrl = cluster.gateways[0] ?? '';
  const polite = { ...POLITE, baseUrl, tokens: await tokensOf(admin, 1), seconds, seed };
  await callFrom('near', { ...polite, seconds: WARM_UP_SECONDS });
  const missing = [await compareFlood(admin, polite), await crowd(cluster, admin, polite)];
  return missing.some((count) => count > 0) ? 1 : 0;
}

async function tokensOf(admin: LedgerAdmin, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push(...(await createAccount(admin, AMPLE, 1)).tokens);
  return tokens;
}

async function compareFlood(admin: LedgerAdmin, polite: ClientsOptions): Promise<number> {
  const flood = { ...polite, tokens: await tokensOf(admin, 1), clients, pauseMs: 0, seed: `${seed}/flood` };
  const [alone, beside, flooding]: [Tally[], Tally[], Tally[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await callFrom('near', polite));
    const [one, other] = await Promise.all([callFrom('near', polite), callFrom('far', flood)]);
    beside.push(one);
    flooding.push(other);
  }
  console.log(compare({ alone, 'beside one that floods': beside, 'that floods': flooding }));
  return without(flooding);
}

/**
 * Calls from more accounts than the process admits, one of them measured, then from the polite
 * account again.
 */
async function crowd(cluster: Cluster, admin: LedgerAdmin, polite: ClientsOptions): Promise<number> {
  const tokens = await tokensOf(admin, accounts);
  const restless = { ...polite, pauseMs: 0, seconds: crowdSeconds };
  const many = { ...restless, tokens, clients: accounts * CLIENTS_AN_ACCOUNT, seed: `${seed}/crowd` };
  const one = { ...restless, tokens: await tokensOf(admin, 1), clients: CLIENTS_AN_ACCOUNT, seed: `${seed}/one` };
  const before = await callFrom('near', polite);
  const memoryBefore = await memoryOf(cluster);
  const [near, far] = await Promise.all([callFrom('near', one), callFrom('far', many)]);
  const memoryAfter = await memoryOf(cluster);
  const after = await callFrom('near', polite);
  console.log(
    compare({ 'before the crowd': [before], 'one of the crowd': [near], 'the others': [far], 'after it': [after] }),
  );
  const grown = [...memoryBefore].map(([name, mebibytes]) => [name, mebibytes, memoryAfter.get(name) ?? 0]);
  console.log(table(['memory of', 'MiB before the crowd', 'after it'], grown));
  return without([near, far]);
}

function compare(groups: Readonly<Record<string, readonly Tally[]>>): string {
  const first = Object.values(groups)[0] ?? [];
  const rows = Object.entries(groups).flatMap(([name, tallies]) =>
    KINDS.map((kind) => {
      const [median, p99] = [quantile(tallies, kind, 0.5), quantile(tallies, kind, 0.99)];
      return [
        name,
        kind,
        timesOf(tallies, kind).length,
        median.toFixed(1),
        (median / quantile(first, kind, 0.5)).toFixed(2),
        p99.toFixed(1),
        (p99 / quantile(first, kind, 0.99)).toFixed(2),
        (p99 / OBJECTIVES[kind]).toFixed(2),
        kind === KINDS[0] ? statusesOf(tallies) : '',
      ];
    }),
  );
  const heads = ['account', 'call', 'accepted', 'median ms', 'times', 'p99 ms', 'times', 'of the objective', 'answers'];
  return `\n${table(heads, rows)}\n`;
}

function timesOf(tallies: readonly Tally[], kind: Kind): readonly number[] {
  return tallies.flatMap(({ times }) => times[kind]);
}

function quantile(tallies: readonly Tally[], kind: Kind, share: number): number {
  return percentile(timesOf(tallies, kind), share);
}

function statusesOf(tallies: readonly Tally[]): string {
  const all = new Map<string, number>();
  for (const { statuses } of tallies)
    for (const [status, count] of Object.entries(statuses)) all.set(status, (all.get(status) ?? 0) + count);
  return [...all].map(([status, count]) => `${count} × ${status}`).join(', ');
}

function without(tallies: readonly Tally[]): number {
  const count = tallies.reduce((sum, { withoutRetryAfter }) => sum + withoutRetryAfter, 0);
  if (count > 0) console.log(`${count} refusals with 503 did not say when to come back`);
  return count;
}

async function memoryOf({ services }: Cluster): Promise<ReadonlyMap<string, number>> {
  const read = async (pid: number) => {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  return new Map(
    await Promise.all(services.map(async ({ name, current }) => [name, await read(current.pid)] as const)),
  );
}
