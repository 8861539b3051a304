import { setTimeout as pause } from 'node:timers/promises';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { type Random, seeded } from '../../support/random.ts';
import { startCluster } from '../cluster/cluster.ts';
import { type Door, lookUp, search } from '../load/client.ts';
import { evidence, fillRecord, WORDS } from '../load/evidence.ts';
import { AMPLE, createAccount, ledgerAdmin } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { percentile } from '../support/figures.ts';
import { runTrials } from './credentials/run-trials.ts';
import type { Trial } from './credentials/trial.ts';

const USAGE = 'npm run lab -- credentials [--times N] [--seed S] [--concurrency N] [--clients N]';
const text = { type: 'string' } as const;
const { values } = readArguments(USAGE, { times: text, seed: text, concurrency: text, clients: text });
const times = atLeastOne(values.times, 1000);
const concurrency = atLeastOne(values.concurrency, 8);
const clients = atLeastOne(values.clients, 6);
const seed = values.seed ?? String(Date.now());

const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  CES_ADDRESS_FAILURES_PER_SECOND: '1000000',
  CES_LOG_LEVEL: 'warn',
};

process.exitCode = await main();

async function main(): Promise<number> {
  console.log(`${times} changes, seed ${seed}; repeat with npm run lab -- credentials --times ${times} --seed ${seed}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 3, operations: 1, settings: SETTINGS, random });
  const adminToken = cluster.secrets.admin_token ?? '';
  await fillRecord(evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), adminToken));
  const admin = ledgerAdmin(cluster.urlOf('ledger'), adminToken);
  const { accountId, tokens } = await createAccount(admin, AMPLE, 3);
  const doors = tokens.map(
    (token, at): Door => ({ baseUrl: gatewayAt(cluster.gateways, at), token, accountId, surface: 'rest' }),
  );
  const load = startLoad(doors, clients, random.branch('load'));
  const begun = performance.now();
  const trials = await runTrials({ times, concurrency, gateways: cluster.gateways, admin, random, say });
  const loaded = await load.stop();
  return report(trials, loaded, (performance.now() - begun) / 1000);
}

function gatewayAt(gateways: readonly string[], at: number): string {
  return gateways[at % gateways.length] ?? '';
}

function startLoad(doors: readonly Door[], count: number, random: Random) {
  const ended = new AbortController();
  let calls = 0;
  const client = async (number: number) => {
    const own = random.branch(`client ${number}`);
    while (!ended.signal.aborted) {
      const key = `load-${number}-${calls++}`;
      if (own.chance(0.7)) await search(own.pick(doors), { query: own.pick(WORDS), limit: 5 }, key);
      else await lookUp(own.pick(doors), ['nobody.example'], key);
      await pause(own.below(60));
    }
  };
  const clients = Array.from({ length: count }, (_, number) => client(number));
  return {
    async stop() {
      ended.abort();
      await Promise.all(clients);
      return calls;
    },
  };
}

function report(trials: readonly Trial[], loaded: number, seconds: number): number {
  const faults = trials.flatMap((trial) => trial.faults);
  for (const fault of faults.slice(0, 50)) console.log(fault);
  const kinds = Object.entries(Object.groupBy(trials, ({ change }) => change));
  for (const [change, those = []] of kinds) {
    const unseen = those.map(({ lastUnseenMs }) => lastUnseenMs);
    console.log(
      `${change.padEnd(16)} ${those.length} times, last seen wrong after the change: median ${percentile(unseen, 0.5)} ms, most ${percentile(unseen, 1)} ms`,
    );
  }
  const sum = (count: (trial: Trial) => number) => trials.reduce((total, trial) => total + count(trial), 0);
  console.log(
    `${trials.length} changes, ${sum(({ calls }) => calls)} calls and ${loaded} beside them in ${seconds.toFixed(0)} s, ` +
      `${sum(({ judged }) => judged)} begun more than a second later, ${faults.length} violations`,
  );
  return faults.length === 0 ? 0 : 1;
}

function say(done: number): void {
  if (done % 100 === 0) console.log(`${done} changes`);
}
