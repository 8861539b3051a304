import { setTimeout as pause } from 'node:timers/promises';
import { search } from '../../load/client.ts';
import { WORDS } from '../../load/evidence.ts';
import type { Arena } from './arena.ts';
import type { Edge } from './edges.ts';

/** The effect of lost connections on a service. Times are ms since the loss. */
export interface Survival {
  readonly edge: string;
  /** Start of the first answered call after which no call failed, regardless of its duration. */
  readonly callsAgainMs: number;
  readonly failedCalls: number;
  readonly readyAgainMs: number;
  readonly unreadyAnswers: number;
  readonly slowestProbeMs: number;
  readonly notAlive: number;
}

const OBSERVED_MS = 20_000;
const EVERY_MS = 1_000;
const CROWD = 40;
const ANSWERED_WITHIN_MS = 10_000;

interface Seen {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly well: boolean;
}

/** Loses all connections of these edges at once, permanently, and observes each every second. */
export async function loseConnections(arena: Arena, edges: readonly Edge[], name: string): Promise<Survival[]> {
  await crowd(arena, name);
  const began = performance.now();
  const proxies = edges.flatMap(({ edge }) => arena.cluster.proxiesOf(edge));
  for (const proxy of proxies) proxy.fault = { kind: 'lost' };
  // Edges that share a call send it once a second together.
  const calls = new Map<Edge['call'], Promise<Seen[]>>();
  for (const { edge, call } of edges)
    if (!calls.has(call))
      calls.set(
        call,
        lookAgain(began, (at) => call(arena, `${name}-${edge}-${at}`)),
      );
  const survivals = await Promise.all(
    edges.map(async (edge) => {
      const [readied, lived] = await probe(arena, edge, began);
      return survivalOf(edge.edge, (await calls.get(edge.call)) ?? [], readied, lived);
    }),
  );
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  return survivals;
}

async function crowd({ door }: Arena, name: string): Promise<void> {
  const calls = Array.from({ length: CROWD }, (_, at) =>
    search(door, { query: WORDS[at % WORDS.length], limit: 2 }, `${name}-crowd-${at}`),
  );
  await Promise.all(calls);
}

async function probe({ cluster }: Arena, { service }: Edge, began: number): Promise<readonly [Seen[], Seen[]]> {
  const { current } = cluster.services.find(({ name }) => name === `${service}-1`) ?? {};
  const ask = (path: string) => async () => {
    const { status } = await fetch(new URL(path, current?.adminUrl));
    if (status !== 200) throw new Error(String(status));
  };
  return await Promise.all([lookAgain(began, ask('/readyz')), lookAgain(began, ask('/livez'))]);
}

function survivalOf(edge: string, called: readonly Seen[], readied: readonly Seen[], lived: readonly Seen[]): Survival {
  return {
    edge,
    callsAgainMs: wellSince(called),
    failedCalls: failed(called),
    readyAgainMs: wellSince(readied),
    unreadyAnswers: failed(readied),
    slowestProbeMs: Math.max(...[...readied, ...lived].map(({ sentMs, answeredMs }) => answeredMs - sentMs)),
    notAlive: failed(lived),
  };
}

/** Calls every second, regardless of earlier answers. */
async function lookAgain(began: number, ask: (at: number) => Promise<void>): Promise<Seen[]> {
  const seen: Promise<Seen>[] = [];
  for (let at = 0; performance.now() - began < OBSERVED_MS; at += 1) {
    seen.push(look(began, () => ask(at)));
    await pause(EVERY_MS);
  }
  return await Promise.all(seen);
}

async function look(began: number, ask: () => Promise<void>): Promise<Seen> {
  const sentMs = performance.now() - began;
  const timer = new AbortController();
  const late = pause(ANSWERED_WITHIN_MS, false, { signal: timer.signal }).catch(() => false);
  const well = await Promise.race([
    ask().then(
      () => true,
      () => false,
    ),
    late,
  ]);
  timer.abort();
  return { sentMs, answeredMs: performance.now() - began, well };
}

/** 0 if nothing failed, infinity if it never recovered. */
function wellSince(seen: readonly Seen[]): number {
  const last = seen.findLastIndex(({ well }) => !well);
  return last === -1 ? 0 : (seen[last + 1]?.sentMs ?? Number.POSITIVE_INFINITY);
}

function failed(seen: readonly Seen[]): number {
  return seen.filter(({ well }) => !well).length;
}
