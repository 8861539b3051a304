import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import { judgeEnded, pollAll } from '../../checks/judge.ts';
import { checkEnded, untilEnded } from '../../checks/settlement.ts';
import { snapshotAddresses } from '../../checks/snapshot.ts';
import { doorsOf } from '../../load/client.ts';
import { startClients } from '../../load/clients.ts';
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
  const doors = doorsOf(cluster.gateways, arena.accounts);
  const clients = startClients(arena.clients, doors, random.branch('clients'), (attempt) => attempts.push(attempt));
  const recording = recordMeanwhile(evidence, options.name);
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
  await clients[Symbol.asyncDispose]();
  const addresses = snapshotAddresses(cluster.servers.databases);
  const ended = checkEnded(await untilEnded(addresses, QUIET_WITHIN_MS)).length === 0;
  const endedAfterMs = performance.now() - healed;
  const index = await indexed;
  attempts.push(...(await pollAll(doors, attempts.slice(begun), POLLED_A_TRIAL)));
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
function recordMeanwhile(evidence: Evidence, name: string): () => Promise<bigint> {
  let last = 0n;
  const stop = new AbortController();
  const recording = (async () => {
    for (let at = 0; !stop.signal.aborted; at += 1) {
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

async function check({ cluster, accounts, failing, attempts, faultWindows }: Arena): Promise<string[]> {
  const { servers, secrets, gateways } = cluster;
  const databases = snapshotAddresses(servers.databases);
  const stack = { databases, secrets, gatewayUrl: gateways[0] ?? '', logDirectory: servers.directory };
  return await judgeEnded({ ...stack, accounts: [...accounts, failing] }, attempts, faultWindows);
}
