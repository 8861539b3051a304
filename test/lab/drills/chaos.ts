import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { seeded } from '../../support/random.ts';
import { startCluster } from '../cluster/cluster.ts';
import { isAnswered } from '../load/attempt.ts';
import { evidence, fillRecord } from '../load/evidence.ts';
import { AMPLE, createAccount, ledgerAdmin } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { FAULTS } from './chaos/faults.ts';
import { type Arena, runTrial } from './chaos/trial.ts';

const USAGE = 'npm run lab -- chaos [--seed S] [--minutes M] [--only R7] [--clients N]';
const { values } = readArguments(USAGE, {
  seed: { type: 'string' },
  minutes: { type: 'string' },
  only: { type: 'string' },
  clients: { type: 'string' },
});
const seed = values.seed ?? String(Date.now());
const minutes = atLeastOne(values.minutes, 5);
const clients = atLeastOne(values.clients, 8);
const choices = FAULTS.filter(({ promise }) => !values.only || promise === values.only);

/** Short, so that every deadline passes within a trial. */
const SETTINGS = {
  CES_OPERATIONS_PENDING_MS: '5000',
  CES_OPERATIONS_PROCESSING_MS: '15000',
  CES_OPERATIONS_LEASE_MS: '2000',
  CES_OPERATIONS_HEARTBEAT_MS: '500',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '500',
  ...NO_FLOOD_LIMITS,
};

/** One account of three is always near its limits. */
const SCARCE = { ...AMPLE, windowSeconds: 2n, windowRequestUnits: 6n, windowDeliveredUnits: 18n };

process.exitCode = await main();

async function main(): Promise<number> {
  const only = values.only ? ` --only ${values.only}` : '';
  const repeat = `npm run lab -- chaos --seed ${seed} --minutes ${minutes} --clients ${clients}${only}`;
  if (choices.length === 0) throw new Error(`no fault tries ${values.only}`);
  console.log(`chaos: seed ${seed}, ${minutes} minutes, ${clients} clients; repeat with ${repeat}`);
  console.log(`settings: ${JSON.stringify(SETTINGS)}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 3, operations: 2, settings: SETTINGS, random });
  const admin = cluster.secrets.admin_token ?? '';
  const record = evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), admin);
  await fillRecord(record);
  const ledger = ledgerAdmin(cluster.urlOf('ledger'), admin);
  const accounts = [
    await createAccount(ledger, AMPLE, 2),
    await createAccount(ledger, AMPLE, 2),
    await createAccount(ledger, SCARCE, 2),
  ];
  const arena: Arena = { cluster, evidence: record, accounts, clients, attempts: [], faultWindows: [] };
  const violations: string[] = [];
  let trials = 0;
  for (const deadline = Date.now() + minutes * 60_000; Date.now() < deadline && violations.length === 0; trials += 1) {
    const end = await runTrial(arena, choices, random.branch(`trial ${trials}`), `trial${trials}`);
    violations.push(...end.violations);
    const times = `ended ${Math.round(end.endedAfterMs)} ms, indexed ${Math.round(end.indexedAfterMs)} ms after healing`;
    console.log(`trial ${trials}: ${end.faults.join('; ')}: ${times}; ${end.violations.length} violations`);
  }
  return conclude(arena, trials, violations, repeat);
}

function conclude({ cluster, attempts }: Arena, trials: number, violations: readonly string[], repeat: string): number {
  const parts = [...cluster.services, cluster.servers.postgres, cluster.servers.nats];
  const statuses: Record<string, number> = {};
  for (const attempt of attempts) {
    const name = isAnswered(attempt) ? String(attempt.outcome.status) : 'lost';
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
  const operations = new Set(attempts.filter(isAnswered).flatMap(({ outcome }) => outcome.body.usage?.id ?? []));
  const kills = parts.reduce((sum, part) => sum + part.kills, 0);
  const crashes = parts.reduce((sum, part) => sum + part.crashes, 0);
  for (const violation of violations.slice(0, 40)) console.log(violation);
  console.log(
    `${trials} trials, ${attempts.length} calls ${JSON.stringify(statuses)}, ${operations.size} operations seen, ${kills} kills, ${crashes} crash points, ${cluster.answersLost()} answers lost between services, ${violations.length} violations`,
  );
  if (violations.length > 0) {
    cluster.servers.keepFiles();
    console.log(`logs are in ${cluster.servers.directory}; repeat with ${repeat}`);
  }
  return violations.length === 0 ? 0 : 1;
}
