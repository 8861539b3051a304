import { setTimeout as pause } from 'node:timers/promises';
import { callersAt } from './callers-at.ts';
import type { NamedReplicas, Replica } from './named-replicas.ts';
import { untilEvenShare } from './shares.ts';

/** The history of a process that was stopped and continued. Instants are ms since 1970. */
export interface Silence {
  readonly service: string;
  readonly replica: string;
  readonly stoppedAt: number;
  /** When the last caller closed its connection. Undefined if some never did. */
  readonly lostAt: number | undefined;
  readonly continuedAt: number;
  readonly backAfter: number | undefined;
}

const LOST_WITHIN_MS = 30_000;
const BACK_WITHIN_MS = 60_000;
/** Without it, calls must become as fast as before. Measured over this time. */
const STRETCH_MS = 7_000;
const LOOK_EVERY_MS = 100;

/**
 * Stops the oldest process like a frozen machine: connections stay open, nothing answers, and DNS
 * still lists it. Runs `meanwhile` before it continues.
 */
export async function silence(
  replicas: NamedReplicas,
  signal: AbortSignal,
  meanwhile: () => Promise<void>,
): Promise<Silence> {
  const { oldest, service } = replicas;
  const known = new Set((await callersAt(oldest)).map(({ port }) => port));
  process.kill(oldest.pid, 'SIGSTOP');
  const stoppedAt = Date.now();
  let lostAt: number | undefined;
  try {
    lostAt = await untilLost(oldest, known, signal);
    await pause(STRETCH_MS, undefined, { signal });
    await meanwhile();
  } finally {
    process.kill(oldest.pid, 'SIGCONT');
  }
  const continuedAt = Date.now();
  const backAfter = await untilEvenShare(replicas, oldest, BACK_WITHIN_MS, signal);
  return { service, replica: oldest.name, stoppedAt, lostAt, continuedAt, backAfter };
}

async function untilLost(replica: Replica, known: ReadonlySet<number>, signal: AbortSignal) {
  for (const deadline = Date.now() + LOST_WITHIN_MS; Date.now() < deadline; ) {
    const callers = await callersAt(replica);
    if (!callers.some(({ port, sentCalls }) => known.has(port) || sentCalls)) return Date.now();
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  return undefined;
}
