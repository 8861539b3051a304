import { setTimeout as pause } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { RecordServer } from '@ces/search/test-support/record-server';
import type { Random } from '../../../support/random.ts';
import type { History } from './history.ts';
import type { Replica } from './replicas.ts';
import { type Searched, searchFor } from './search-for.ts';

/** Words that stemming and spelling correction keep distinct. */
export const WORDS = ['zorvixk', 'bramelqk', 'tuldanixk', 'fenquork', 'wostrimk', 'gaplezuk', 'ryndovexk', 'chimborak'];

export interface Load {
  readonly writesPerSecond: number;
  readonly searchers: number;
  readonly random: Random;
}

interface Loaded {
  readonly writer: Writer;
  readonly replicas: readonly Replica[];
  readonly history: History;
}

const WITHDRAWN_SHARE = 0.25;
const AMENDED_SHARE = 0.1;
const BETWEEN_MS = 100;

export function createWriter(record: RecordServer, history: History, random: Random) {
  let last = 0n;
  const versions = new Map<bigint, bigint>();
  const put = (id: bigint, word: string | undefined) => {
    const version = (versions.get(id) ?? 0n) + 1n;
    versions.set(id, version);
    return record.put({ observations: [documentOf(id, version, word)] });
  };
  const add = () => {
    last += 1n;
    const word = random.pick(WORDS);
    history.says(word, last, put(last, word));
  };
  const withdraw = (id: bigint, word: string) => history.saysNoMore(word, id, put(id, undefined));
  const amend = (id: bigint, word: string, next: string) => {
    const tx = put(id, next);
    history.saysNoMore(word, id, tx);
    history.says(next, id, tx);
  };
  return {
    add,
    withdrawNewest(count: number): void {
      for (const word of WORDS)
        for (const id of history.saying(word)) if (id > last - BigInt(count)) withdraw(id, word);
    },
    write(): void {
      const word = random.pick(WORDS);
      const known = history.saying(word);
      /* An observation never returns to an earlier word. */
      const next = WORDS.slice(WORDS.indexOf(word) + 1);
      const chance = random.next();
      if (known.length > 0 && chance < WITHDRAWN_SHARE) withdraw(random.pick(known), word);
      else if (known.length > 0 && next.length > 0 && chance < WITHDRAWN_SHARE + AMENDED_SHARE)
        amend(random.pick(known), word, random.pick(next));
      else add();
    },
  };
}

export type Writer = ReturnType<typeof createWriter>;

function documentOf(id: bigint, version: bigint, word: string | undefined) {
  if (word === undefined) return { id, version, companyId: id, tombstone: true };
  const now = timestampFromDate(new Date());
  return {
    id,
    version,
    companyId: id,
    observedFact: `A ${word} works is opened, the ${id}th.`,
    kind: Kind.FACILITY_EXPANSION,
    country: Country.US,
    occurredAt: now,
    observedAt: now,
    recordedAt: now,
  };
}

export async function runTraffic(
  { writer, replicas, history }: Loaded,
  { writesPerSecond, searchers, random }: Load,
  onSearched: (searched: Searched) => void,
  signal: AbortSignal,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  const write = async () => {
    for (; !signal.aborted; await rest(1_000 / writesPerSecond)) writer.write();
  };
  const search = async () => {
    for (; !signal.aborted; await rest(BETWEEN_MS)) {
      const serving = replicas.filter(({ isServing }) => isServing);
      if (serving.length === 0) continue;
      const replica = random.pick(serving);
      const searched = await searchFor(random.pick(WORDS), replica, history);
      /* Failures of a process that was stopped during the search do not count. */
      if (replica.isServing || searched.ending !== 'unavailable') onSearched(searched);
    }
  };
  await Promise.all([write(), ...Array.from({ length: searchers }, search)]);
}
