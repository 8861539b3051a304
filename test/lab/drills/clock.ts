import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import { seeded } from '../../support/random.ts';
import { AMPLE, createAccount, ledgerAdmin, type OwnLimits } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { watchLedger } from './clock/ledger-watch.ts';
import { STEPS, stepClock } from './clock/steps.ts';
import { type Arena, countsOf, SCARCE, startArena } from './trial/arena.ts';
import { runTrial } from './trial/trial.ts';

const USAGE = 'npm run lab -- clock [--times N] [--only "back 30 s"] [--clients N] [--seed S]';
const { values } = readArguments(USAGE, {
  times: { type: 'string' },
  only: { type: 'string' },
  clients: { type: 'string' },
  seed: { type: 'string' },
});
const times = atLeastOne(values.times, 5);
const clients = atLeastOne(values.clients, 6);
const seed = values.seed ?? String(Date.now());
const steps = STEPS.filter(({ name }) => !values.only || name === values.only);

/** Shipped leases and intervals, with deadlines that pass within a trial. */
const SETTINGS = {
  CES_OPERATIONS_PENDING_MS: '20000',
  CES_OPERATIONS_PROCESSING_MS: '25000',
  CES_OPERATIONS_LEASE_MS: '15000',
  CES_OPERATIONS_HEARTBEAT_MS: '5000',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '2000',
};
/** Promise R30: another process takes over within this time. */
const TAKEN_OVER_WITHIN_MS = 30_000;

process.exitCode = await main();

/**
 * Sets the database's clock under load. After each step, waits until all is quiet and runs all
 * checks.
 */
async function main(): Promise<number> {
  if (steps.length === 0) throw new Error(`there is no step ${values.only}`);
  const only = values.only ? ` --only "${values.only}"` : '';
  const repeat = `npm run lab -- clock --times ${times} --clients ${clients} --seed ${seed}${only}`;
  console.log(`clock: seed ${seed}, ${clients} clients; repeat with ${repeat}`);
  const random = seeded(seed);
  await using arena = await startArena({
    ...{ clients, operations: 2, gateways: 2, random, settings: SETTINGS, steppedClock: true },
  });
  await using watch = await watchLedger(arena.cluster.servers.databases.get('ledger')?.ownerUrl ?? '');
  const violations: string[] = [];
  console.log('| clock | times | taken over after, s | ended after, s | violations |\n|---|---|---|---|---|');
  for (const [at, { name, ms }] of steps.entries()) {
    const takenOver: number[] = [];
    const endedAfter: number[] = [];
    const before = violations.length;
    while (takenOver.length < (at === 0 ? times : 1)) {
      const own = random.branch(`${name} ${takenOver.length}`);
      const breakThings = async () => {
        takenOver.push(await stepClock(arena.cluster, ms, watch, own));
        return [name];
      };
      const fresh = { ...arena, accounts: await freshAccounts(arena) };
      const end = await runTrial(fresh, own, { name: `clock ${at} ${takenOver.length}`, breakThings, excused: true });
      endedAfter.push(end.endedAfterMs);
      violations.push(...end.violations);
    }
    const late = takenOver.filter((taken) => taken > TAKEN_OVER_WITHIN_MS);
    violations.push(...late.map((taken) => `R30 taken over only after ${Math.round(taken)} ms`));
    violations.push(...watch.violations.splice(0));
    const cells = [name, takenOver.length, inSeconds(takenOver), inSeconds(endedAfter), violations.length - before];
    console.log(`| ${cells.join(' | ')} |`);
  }
  return conclude(arena, watch.looks(), violations, repeat);
}

/**
 * After a forward step, ledger time of earlier callers can be ahead of the clock, so their windows
 * do not move. New accounts avoid that.
 */
async function freshAccounts({ cluster, accounts }: Arena): Promise<Arena['accounts']> {
  const ledger = ledgerAdmin(cluster.urlOf('ledger'), cluster.secrets.admin_token ?? '');
  const create = (limits: OwnLimits) =>
    retry(() => createAccount(ledger, limits, 2), { attempts: 6, firstPauseMs: 500, retryIf: isTransient });
  return [...accounts.slice(0, 1), await create(AMPLE), await create(SCARCE)];
}

function conclude(arena: Arena, looks: number, violations: readonly string[], repeat: string): number {
  for (const violation of violations.slice(0, 40)) console.log(violation);
  const { servers } = arena.cluster;
  const setBack = Math.round((servers.clock?.setBackMs ?? 0) / 1_000);
  const { calls, statuses, operations } = countsOf(arena);
  console.log(
    `${calls} calls ${JSON.stringify(statuses)}, ${operations} operations seen, the clock set back by ${setBack} s in all, ledger time looked at ${looks} times, ${violations.length} violations`,
  );
  if (violations.length > 0) {
    servers.keepFiles();
    console.log(`logs are in ${servers.directory}; repeat with ${repeat}`);
  }
  return violations.length === 0 ? 0 : 1;
}

function inSeconds(times: readonly number[]): string {
  return times.map((ms) => (ms / 1_000).toFixed(1)).join(', ');
}
