import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { processOf } from '../faults/fault.ts';
import type { LedgerWatch } from './ledger-watch.ts';
import { untilTakenOver } from './taken-over.ts';

export interface Step {
  readonly name: string;
  readonly ms: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Backward steps come first, because after a forward step ledger time of earlier callers does
 * not advance until the clock catches up.
 */
export const STEPS: readonly Step[] = [
  { name: 'back 30 s', ms: -30 * SECOND_MS },
  { name: 'back 5 min', ms: -5 * MINUTE_MS },
  { name: 'back 1 h', ms: -HOUR_MS },
  { name: 'back 1 day', ms: -24 * HOUR_MS },
  { name: 'forward 30 s', ms: 30 * SECOND_MS },
  { name: 'forward 5 min', ms: 5 * MINUTE_MS },
  { name: 'forward 1 h', ms: HOUR_MS },
  { name: 'forward 1 day', ms: 24 * HOUR_MS },
];

/** Longer than a takeover, so that others have the killed process's work and leads. */
const AWAY_MS = 31_000;

/**
 * Sets the clock during runs and kills a process of operations until another has its work and
 * leads. Returns the duration of the takeover in ms.
 */
export async function stepClock(cluster: Cluster, ms: number, watch: LedgerWatch, random: Random): Promise<number> {
  const { clock } = cluster.servers;
  if (!clock) throw new Error('the clock of this cluster cannot be set');
  // Delays searches, so that runs are still active when their process ends.
  const delayed = cluster.proxiesOf('operations-search');
  for (const proxy of delayed) proxy.fault = { kind: 'delay', ms: 700 };
  await pause(800);
  const part = processOf(cluster, 'operations', random);
  const { promise: back, resolve } = Promise.withResolvers<void>();
  await part.kill(back);
  await watch.look();
  await clock.step(ms);
  await watch.look();
  for (const proxy of delayed) proxy.fault = { kind: 'none' };
  const tookMs = await untilTakenOver(cluster, AWAY_MS);
  resolve();
  await part.untilUp();
  return tookMs;
}
