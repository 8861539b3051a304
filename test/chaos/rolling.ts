import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '@ces/local/service-process';
import { environmentOf, SERVICES, type ServiceName, secretNames } from '@ces/local/services';
import { atLeastOne, readArguments } from '../bench/support/arguments.ts';
import { readBooks } from './checks/books.ts';
import { checkLogs } from './checks/faults.ts';
import { checkEnded, checkKeys, checkMatching, checkUnits } from './checks/settlement.ts';
import { type Balancer, startBalancer } from './cluster/balancer.ts';
import { type Servers, startServers } from './cluster/servers.ts';
import type { Attempt } from './load/attempt.ts';
import { COMPANIES_PER_WORD, evidence, fillRecord, hostOf, WORDS } from './load/evidence.ts';
import { AMPLE, createAccount, ledgerAdmin } from './load/subscribers.ts';
import { type Random, seeded } from './random.ts';
import { Replicas } from './rolling/replicas.ts';
import { failedCalls, percentile, runTraffic } from './rolling/traffic.ts';

const USAGE = 'npm run test:rolling -- [--rounds N] [--rate CALLS_A_SECOND] [--seed S]';
const { values } = readArguments(USAGE, {
  rounds: { type: 'string' },
  rate: { type: 'string' },
  seed: { type: 'string' },
});
const rounds = atLeastOne(values.rounds, 2);
const rate = atLeastOne(values.rate, 40);
const seed = values.seed ?? String(Date.now());

const REPLICAS = 2;
const SETTLED_WITHIN_MS = 60_000;
const SETTINGS = {
  CES_CREDENTIAL_CALLS_PER_SECOND: '1000000',
  CES_CREDENTIAL_BURST: '1000000',
  CES_ACCOUNT_CALLS_IN_FLIGHT: '1000000',
  CES_POLLS_PER_SECOND: '1000000',
  CES_LOG_LEVEL: 'info',
  // Longer than a client keeps an idle connection, and than the balancer takes to look at readiness.
  CES_DRAIN_DELAY_MS: '5000',
};

process.exitCode = await main();

/** Every service is restarted, two processes each, one after the other, under load; no call may fail. */
async function main(): Promise<number> {
  const repeat = `npm run test:rolling -- --rounds ${rounds} --rate ${rate} --seed ${seed}`;
  console.log(`rolling restarts: ${rounds} rounds, ${rate} calls a second, seed ${seed}; repeat with ${repeat}`);
  const random = seeded(seed);
  const secrets = Object.fromEntries(secretNames().map((name) => [name, hexOf(random)]));
  await using servers = await startServers(secrets);
  await using cleanup = new AsyncDisposableStack();
  const balancers = new Map<ServiceName, Balancer>();
  for (const { name } of SERVICES) balancers.set(name, cleanup.use(await startBalancer()));
  const services = cleanup.use(new AsyncDisposableStack());
  const replicas: Replicas[] = [];
  for (const service of SERVICES)
    replicas.push(services.use(await startReplicas(service, secrets, servers, balancers)));
  const addressOf = (name: ServiceName) => `http://127.0.0.1:${balancers.get(name)?.port}`;
  const admin = secrets.admin_token ?? '';
  await fillRecord(evidence(addressOf('lookup'), addressOf('search'), admin));
  const account = await createAccount(ledgerAdmin(addressOf('ledger'), admin), AMPLE, 2);
  const doors = account.tokens.map((token) => ({
    baseUrl: addressOf('gateway'),
    token,
    accountId: account.accountId,
    surface: 'rest' as const,
  }));
  const domains = WORDS.flatMap((_, word) =>
    Array.from({ length: COMPANIES_PER_WORD }, (_, at) => hostOf(`base${word}x${at}`)),
  );
  const stop = new AbortController();
  const traffic = runTraffic({ rate, doors, random: random.branch('traffic'), words: WORDS, domains }, stop.signal);
  await restartAll(replicas);
  stop.abort();
  const attempts = await traffic;
  const faults = [
    ...failedCalls(attempts),
    ...replicas.flatMap(({ name, ends }) => ends.filter((end) => end !== 0).map((end) => `${name} ended with ${end}`)),
    ...(await bookFaults(servers, attempts)),
    ...(await checkLogs(servers.directory, [...account.tokens, ...Object.values(secrets)])),
  ];
  return conclude({ attempts, faults, servers, replicas, balancers: [...balancers.values()], repeat });
}

async function startReplicas(
  service: (typeof SERVICES)[number],
  secrets: Readonly<Record<string, string>>,
  servers: Servers,
  balancers: ReadonlyMap<ServiceName, Balancer>,
): Promise<Replicas> {
  const { name } = service;
  const ports = new Map([...balancers].map(([peer, { port }]) => [peer, port]));
  ports.set(name, 0);
  const databaseUrls = new Map([...servers.databases].map(([database, { url }]) => [database, url]));
  const natsUrl = `nats://127.0.0.1:${servers.natsPort}`;
  const env = environmentOf(service, { secrets, ports, databaseUrls, natsUrl, natsPrefix: '', outer: process.env });
  await mkdir(servers.directory, { recursive: true });
  const balancer = balancers.get(name);
  if (!balancer) throw new Error(`${name} has no balancer`);
  let started = 0;
  return await Replicas.start(name, REPLICAS, balancer, async () => {
    started += 1;
    return await startService(service, { ...env, ...SETTINGS }, path.join(servers.directory, `${name}-${started}.log`));
  });
}

async function restartAll(replicas: readonly Replicas[]): Promise<void> {
  await pause(2_000);
  for (let round = 1; round <= rounds; round += 1) {
    const begun = performance.now();
    for (const one of replicas) await one.restart();
    console.log(`round ${round}: ${Math.round((performance.now() - begun) / 1_000)} s`);
  }
  await pause(2_000);
}

async function bookFaults({ databases }: Servers, attempts: readonly Attempt[]): Promise<string[]> {
  const addresses = {
    operations: databases.get('operations')?.ownerUrl ?? '',
    ledger: databases.get('ledger')?.ownerUrl ?? '',
  };
  let books = await readBooks(addresses);
  for (const deadline = Date.now() + SETTLED_WITHIN_MS; checkEnded(books).length > 0 && Date.now() < deadline; ) {
    await pause(500);
    books = await readBooks(addresses);
  }
  return [...checkEnded(books), ...checkMatching(books), ...checkUnits(books), ...checkKeys(books, attempts)];
}

interface End {
  readonly attempts: readonly Attempt[];
  readonly faults: readonly string[];
  readonly servers: Servers;
  readonly replicas: readonly Replicas[];
  readonly balancers: readonly Balancer[];
  readonly repeat: string;
}

function conclude({ attempts, faults, servers, replicas, balancers, repeat }: End): number {
  for (const fault of faults.slice(0, 40)) console.log(fault);
  const restarts = replicas.reduce((sum, { ends }) => sum + ends.length, 0);
  const refused = balancers.reduce((sum, balancer) => sum + balancer.refused(), 0);
  console.log(
    `${restarts} restarts under ${attempts.length} calls, ${failedCalls(attempts).length} failed calls, ${refused} connections refused, ` +
      `p50 ${percentile(attempts, 50)} ms, p99 ${percentile(attempts, 99)} ms; ${faults.length} violations`,
  );
  if (faults.length === 0) return 0;
  servers.keepFiles();
  console.log(`logs are in ${servers.directory}; repeat with ${repeat}`);
  return 1;
}

function hexOf(random: Random): string {
  return Array.from({ length: 64 }, () => random.below(16).toString(16)).join('');
}
