import { setTimeout as pause } from 'node:timers/promises';
import { search } from '../../load/client.ts';
import { WORDS } from '../../load/evidence.ts';
import type { Arena } from './arena.ts';
import type { Edge } from './edges.ts';

/** What became of a service that lost its connections over an edge. Times are milliseconds since the loss. */
export interface Survival {
  readonly edge: string;
  /** When the first call was sent that was answered and after which none failed; how long it took is another matter. */
  readonly callsAgainMs: number;
  readonly failedCalls: number;
  /** When it said for the first time and for good that it is ready. */
  readonly readyAgainMs: number;
  readonly unreadyAnswers: number;
  /** The longest that a probe took, of readiness or of life. */
  readonly slowestProbeMs: number;
  readonly notAlive: number;
}

const OBSERVED_MS = 20_000;
const EVERY_MS = 1_000;
/** Calls at the same time. */
const CROWD = 40;
/** A call or probe without an answer by then has failed, in milliseconds. */
const ANSWERED_WITHIN_MS = 10_000;

interface Seen {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly well: boolean;
}

/** Loses the connections of these edges at the same moment, for ever, and looks at each every second. */
export async function loseConnections(arena: Arena, edges: readonly Edge[], name: string): Promise<Survival[]> {
  await crowd(arena, name);
  const began = performance.now();
  const proxies = edges.flatMap(({ edge }) => arena.cluster.proxiesOf(edge));
  for (const proxy of proxies) proxy.fault = { kind: 'lost' };
  // A call that several edges need is sent once a second, not once for each.
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

/** Takes every connection of every pool. */
async function crowd({ door }: Arena, name: string): Promise<void> {
  const calls = Array.from({ length: CROWD }, (_, at) =>
    search(door, { query: WORDS[at % WORDS.length], limit: 2 }, `${name}-crowd-${at}`),
  );
  await Promise.all(calls);
}

/** What the service says of its readiness, and that it lives. */
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

/** Asks every second, whether or not what was asked before is answered. */
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

/** Zero where nothing failed, infinite where it never was well again. */
function wellSince(seen: readonly Seen[]): number {
  const last = seen.findLastIndex(({ well }) => !well);
  return last === -1 ? 0 : (seen[last + 1]?.sentMs ?? Number.POSITIVE_INFINITY);
}

function failed(seen: readonly Seen[]): number {
  return seen.filter(({ well }) => !well).length;
}
