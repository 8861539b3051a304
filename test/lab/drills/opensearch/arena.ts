import { setTimeout as pause } from 'node:timers/promises';
import { startRecordServer } from '@ces/search/test-support/record-server';
import type { OpenSearchServer } from '../../../support/opensearch/server.ts';
import type { Random } from '../../../support/random.ts';
import type { FaultyProxy } from '../../cluster/proxy.ts';
import { openOwnDatabase } from '../../support/index-database.ts';
import { askOpenSearch } from '../../support/opensearch.ts';
import { History } from './history.ts';
import { type Replica, startReplica } from './replicas.ts';
import { type Searched, searchFor } from './search-for.ts';
import { createWriter, WORDS, type Writer } from './traffic.ts';

/** Two search processes on a cluster, the record they project, and the history of all writes. */
export interface Arena extends AsyncDisposable {
  readonly server: OpenSearchServer;
  /** Transport proxies between the nodes, one in front of each. */
  readonly between: readonly FaultyProxy[];
  readonly databaseUrl: string;
  readonly prefix: string;
  readonly replicas: readonly Replica[];
  readonly history: History;
  readonly writer: Writer;
  readonly random: Random;
  /**
   * Starts another search process that knows one address for all nodes. It receives searches too.
   */
  join(): Promise<void>;
  ask<T>(method: string, path: string, body?: unknown, node?: number): Promise<T>;
}

export interface ArenaOptions {
  readonly server: OpenSearchServer;
  readonly between: readonly FaultyProxy[];
  readonly directory: string;
  readonly prefix: string;
  readonly shards: number;
  readonly copies: number;
  readonly random: Random;
}

const FIRST_OBSERVATIONS = 300;
const PROCESSES = 2;
const LOOK_EVERY_MS = 200;
const FILLED_WITHIN_MS = 60_000;

export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { server, between, directory, prefix, random } = options;
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await openOwnDatabase());
  const record = opening.use(await startRecordServer());
  const history = new History();
  const writer = createWriter(record, history, random.branch('writes'));
  for (let count = 0; count < FIRST_OBSERVATIONS; count += 1) writer.add();
  const settings = {
    CES_SEARCH_OPENSEARCH_PREFIX: prefix,
    CES_SEARCH_OPENSEARCH_SHARDS: String(options.shards),
    CES_SEARCH_OPENSEARCH_REPLICAS: String(options.copies),
  };
  const replicas: Replica[] = [];
  const join = async (stack: AsyncDisposableStack, addresses: readonly (readonly string[])[]) => {
    const around = { directory, databaseUrl: database.url, recordUrl: record.url, addresses, settings };
    replicas.push(stack.use(await startReplica(`${prefix}search-${replicas.length}`, around)));
  };
  const oneEach = server.urls.map((url) => [url]);
  for (let at = 0; at < PROCESSES; at += 1) await join(opening, oneEach);
  const opened = opening.move();
  const arena: Arena = {
    server,
    between,
    databaseUrl: database.url,
    prefix,
    replicas,
    history,
    writer,
    random,
    join: () => join(opened, [server.urls]),
    ask: (method, path, body, node = 0) => askOpenSearch(server.urls[node] ?? server.url, method, path, body),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  const filled = await untilWhole(arena, FILLED_WITHIN_MS);
  if (filled.problems.length === 0) return arena;
  await opened.disposeAsync();
  throw new Error(`the index was not filled: ${filled.problems[0]}`);
}

export interface Whole {
  readonly ms: number;
  /** Empty if every process finds exactly what the record contains. */
  readonly problems: readonly string[];
  readonly searched: readonly Searched[];
}

export async function untilWhole(arena: Arena, withinMs: number): Promise<Whole> {
  const begun = performance.now();
  const goal = arena.history.newest;
  for (;;) {
    const searched: Searched[] = [];
    for (const replica of arena.replicas)
      for (const word of WORDS) searched.push(await searchFor(word, replica, arena.history));
    const problems = [...searched.flatMap((one) => problemOf(one, goal)), ...(await shardProblems(arena))];
    const ms = performance.now() - begun;
    if (problems.length === 0 || ms > withinMs) return { ms, problems, searched };
    await pause(LOOK_EVERY_MS);
  }
}

function problemOf({ ending, reason, position, replica }: Searched, goal: bigint): string[] {
  if (ending !== 'ok') return [`${replica}: ${ending} ${reason}`];
  return position < goal ? [`${replica}: the index is at ${position} of ${goal}`] : [];
}

async function shardProblems({ ask, prefix }: Arena): Promise<string[]> {
  try {
    const { status } = await ask<{ status: string }>('GET', `/_cluster/health/${prefix}*`);
    return status === 'green' ? [] : [`the indices are ${status}`];
  } catch (error) {
    return [`no health: ${(error as Error).message}`];
  }
}
