import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import { runChecksAside } from '../../checks/aside.ts';
import { checkEnded, untilEnded } from '../../checks/settlement.ts';
import { readSnapshot, snapshotAddresses } from '../../checks/snapshot.ts';
import type { Attempt } from '../../load/attempt.ts';
import { doorsOf, poll, report } from '../../load/client.ts';
import { runClients } from '../../load/clients.ts';
import { type Evidence, WORDS } from '../../load/evidence.ts';
import type { Arena } from './arena.ts';

export interface TrialOptions {
  readonly name: string;
  readonly breakThings: () => Promise<readonly string[]>;
}

export interface TrialEnd {
  readonly faults: readonly string[];
  readonly violations: readonly string[];
  /** Ms from the last healing until every operation had ended, and until the index was complete. */
  readonly endedAfterMs: number;
  readonly indexedAfterMs: number;
}

const BESIDE_MS = 2_000;
/** Deadlines of an operation and the sweeper, plus a margin. */
const QUIET_WITHIN_MS = 80_000;
/** Promise R7: recorded evidence is searchable within this time after healing. */
const SEARCHABLE_WITHIN_MS = 30_000;
const POLLED_A_TRIAL = 150;

export async function runTrial(arena: Arena, random: Random, options: TrialOptions): Promise<TrialEnd> {
  const { cluster, attempts, evidence } = arena;
  const begun = attempts.length;
  const stop = new AbortController();
  const clients = runClients(
    arena.clients,
    doorsOf(cluster.gateways, arena.accounts),
    random.branch('clients'),
    stop.signal,
    (attempt) => attempts.push(attempt),
  );
  const recording = recordMeanwhile(evidence, options.name, stop.signal);
  const from = Date.now();
  await pause(BESIDE_MS);
  const faults = await options.breakThings();
  await Promise.all(
    [...cluster.services, cluster.servers.postgres, cluster.servers.nats].map((part) => part.untilUp()),
  );
  arena.faultWindows.push({ from, to: Date.now() });
  const healed = performance.now();
  const indexed = indexedAfter(evidence, await recording(), healed);
  await pause(BESIDE_MS);
  stop.abort();
  await clients;
  const addresses = snapshotAddresses(cluster.servers.databases);
  const ended = checkEnded(await untilEnded(addresses, QUIET_WITHIN_MS)).length === 0;
  const endedAfterMs = performance.now() - healed;
  const index = await indexed;
  await pollAll(arena, attempts.slice(begun), random);
  const violations = [
    ...(ended ? [] : [`C4 not all ended within ${QUIET_WITHIN_MS} ms`]),
    ...index.violations,
    ...(await check(arena)),
    ...[...cluster.services, cluster.servers.postgres, cluster.servers.nats].flatMap(({ unasked }) =>
      unasked.splice(0),
    ),
  ];
  return { faults, violations, endedAfterMs, indexedAfterMs: index.ms };
}

/**
 * Records companies during the faults. The returned function stops it and resolves with the last
 * transaction.
 */
function recordMeanwhile(evidence: Evidence, name: string, signal: AbortSignal): () => Promise<bigint> {
  let last = 0n;
  const stop = new AbortController();
  const recording = (async () => {
    for (let at = 0; !signal.aborted && !stop.signal.aborted; at += 1) {
      last = await evidence.record(WORDS[0], `${name}-${at}`).catch(() => last);
      await pause(300);
    }
  })();
  return async () => {
    stop.abort();
    await recording;
    return last;
  };
}

async function indexedAfter(evidence: Evidence, tx: bigint, healed: number) {
  const violations: string[] = [];
  await evidence.untilIndexed(tx, SEARCHABLE_WITHIN_MS).catch((error: Error) => violations.push(`R7 ${error.message}`));
  return { ms: performance.now() - healed, violations };
}

/** Polls operations once more, so that checks compare their final state with earlier answers. */
async function pollAll(arena: Arena, seen: readonly Attempt[], random: Random): Promise<void> {
  const accountOf = new Map(
    seen.flatMap(({ outcome, accountId }) =>
      outcome.kind === 'answer' && outcome.body.usage?.id ? [[outcome.body.usage.id, accountId] as const] : [],
    ),
  );
  const doors = doorsOf(arena.cluster.gateways, arena.accounts);
  for (const [id, accountId] of [...accountOf].slice(0, POLLED_A_TRIAL))
    arena.attempts.push(await poll(random.pick(doors.filter((door) => door.accountId === accountId)), id));
}

async function check({ cluster, accounts: callers, failing, attempts, faultWindows }: Arena): Promise<string[]> {
  const accounts = [...callers, failing];
  const reports = new Map<bigint, Attempt>();
  for (const { subscriptionId, accountId, tokens } of accounts)
    reports.set(
      subscriptionId,
      await report({ baseUrl: cluster.gateways[0] ?? '', surface: 'rest', accountId, token: tokens[0] ?? '' }),
    );
  return await runChecksAside({
    attempts: [...attempts, ...reports.values()],
    snapshot: await readSnapshot(snapshotAddresses(cluster.servers.databases)),
    reports,
    faultWindows,
    logDirectory: cluster.servers.directory,
    secrets: [...accounts.flatMap(({ tokens }) => tokens), ...Object.values(cluster.secrets)],
  });
}
