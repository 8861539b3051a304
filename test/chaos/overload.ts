import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeastOne, readArguments } from '../bench/support/arguments.ts';
import { percentile } from '../bench/support/figures.ts';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { evidence, fillRecord } from './load/evidence.ts';
import { AMPLE, createAccount, type LedgerAdmin, ledgerAdmin } from './load/subscribers.ts';
import { type ClientsOptions, callUntil, type Tally } from './overload/clients.ts';
import { type Random, seeded } from './random.ts';

const USAGE = 'npm run bench:overload -- [--seconds N] [--rounds N] [--clients N] [--accounts N] [--seed S]';
const text = { type: 'string' } as const;
const { values } = readArguments(USAGE, { seconds: text, rounds: text, clients: text, accounts: text, seed: text });
const seconds = atLeastOne(values.seconds, 10);
const rounds = atLeastOne(values.rounds, 3);
/** Of the account that floods. */
const clients = atLeastOne(values.clients, 200);
/** Of the crowd. */
const accounts = atLeastOne(values.accounts, 80);
const CLIENTS_AN_ACCOUNT = 16;
const seed = values.seed ?? String(Date.now());

const POLITE = { clients: 2, pauseMs: 50 };
/** The bounds under trial are the shipped ones. */
const SETTINGS = { CES_LOG_LEVEL: 'warn' };

process.exitCode = await main();

/** R24: what one flooding account costs another, and what a crowd of accounts does to those who are let in. */
async function main(): Promise<number> {
  console.log(`overload: ${rounds} rounds of ${seconds} s, ${clients} clients, ${accounts} accounts, seed ${seed}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random });
  const admin = ledgerAdmin(cluster.urlOf('ledger'), cluster.secrets.admin_token ?? '');
  await fillRecord(evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), cluster.secrets.admin_token ?? ''));
  const baseUrl = cluster.gateways[0] ?? '';
  const polite = { ...POLITE, baseUrl, tokens: await tokensOf(admin, 1), random };
  await during([polite]);
  const missing = [await compareFlood(admin, polite, random), await crowd(cluster, admin, polite, random)];
  return missing.some((count) => count > 0) ? 1 : 0;
}

async function tokensOf(admin: LedgerAdmin, count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push(...(await createAccount(admin, AMPLE, 1)).tokens);
  return tokens;
}

/** All of these call for as long as a round takes. */
async function during(groups: readonly ClientsOptions[]): Promise<Tally[]> {
  const round = pause(seconds * 1000);
  return await Promise.all(groups.map((group) => callUntil(round, group)));
}

/** A polite account alone and beside one that floods, in turns. */
async function compareFlood(admin: LedgerAdmin, polite: ClientsOptions, random: Random): Promise<number> {
  const flood = { ...polite, tokens: await tokensOf(admin, 1), clients, pauseMs: 0, random: random.branch('flood') };
  const [alone, beside, flooding]: [Tally[], Tally[], Tally[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await during([polite])));
    const [one, other] = await during([polite, flood]);
    if (one) beside.push(one);
    if (other) flooding.push(other);
  }
  compare('one account floods', alone, beside);
  console.log(`the flood was answered ${show(flooding)}`);
  return without(flooding);
}

/** Many accounts at once, more than the process lets in; then the polite account again. */
async function crowd(cluster: Cluster, admin: LedgerAdmin, polite: ClientsOptions, random: Random): Promise<number> {
  const tokens = await tokensOf(admin, accounts);
  const many = {
    ...polite,
    tokens,
    clients: accounts * CLIENTS_AN_ACCOUNT,
    pauseMs: 0,
    random: random.branch('crowd'),
  };
  const [before] = await during([polite]);
  const memoryBefore = await memoryOf(cluster);
  const [crowded] = await during([many]);
  const memoryAfter = await memoryOf(cluster);
  const [after] = await during([polite]);
  if (!before || !crowded || !after) return 1;
  console.log(`${many.clients} clients were answered ${show([crowded])}`);
  compare('let in from the crowd', [before], [crowded]);
  compare('after the crowd', [before], [after]);
  for (const [name, megabytes] of memoryBefore)
    console.log(`memory of ${name}: ${megabytes} MiB before, ${memoryAfter.get(name)} MiB after`);
  return without([crowded]);
}

function compare(name: string, before: readonly Tally[], now: readonly Tally[]): void {
  const timesOf = (tallies: readonly Tally[]) => tallies.flatMap(({ times }) => times);
  for (const [rank, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [one, other] = [percentile(timesOf(before), share), percentile(timesOf(now), share)];
    console.log(
      `${name}, ${rank}: ${one.toFixed(1)} ms, then ${other.toFixed(1)} ms, ratio ${(other / one).toFixed(2)}`,
    );
  }
}

function show(tallies: readonly Tally[]): string {
  const all = new Map<string, number>();
  for (const { statuses } of tallies)
    for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
  return [...all].map(([status, count]) => `${status} ${count} times`).join(', ');
}

function without(tallies: readonly Tally[]): number {
  const count = tallies.reduce((sum, { withoutRetryAfter }) => sum + withoutRetryAfter, 0);
  if (count > 0) console.log(`${count} refusals with 503 did not say when to come back`);
  return count;
}

/** Resident memory of every process in MiB, by name. */
async function memoryOf({ services }: Cluster): Promise<ReadonlyMap<string, number>> {
  const read = async (pid: number) => {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  return new Map(
    await Promise.all(services.map(async ({ name, current }) => [name, await read(current.pid)] as const)),
  );
}
