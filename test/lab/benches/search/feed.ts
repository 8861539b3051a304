import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ChangePosition,
  ChangePositionSchema,
  type CompanyDocument,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { ProcessorClock } from './costs.ts';
import type { GeneratedRecord } from './generated-record.ts';

/** Changes that a single reader reads at once. */
const BATCH = 2000;
const ADDED = 20_000;
/** Lower bound of all added ids. */
const FIRST_ADDED = 1_000_000_000;
const A_SECOND = 200;
const BATCHES_A_SECOND = 4;
const AGAIN_AFTER_MS = 1_000;
const ATTEMPTS = 60;

export interface Filled {
  readonly observations: number;
  readonly seconds: number;
}

/** Fills an index and continues an interrupted run. An error from `onFilled` aborts it. */
export async function fill(
  index: ObservationIndex,
  record: GeneratedRecord,
  onFilled: (share: number) => void,
): Promise<Filled> {
  const list = <T>(from: number, total: number, make: (at: number) => T) =>
    Array.from({ length: Math.max(0, Math.min(BATCH, total - from)) }, (_, offset) => make(from + offset));
  const begun = performance.now();
  const { live } = await index.feedState();
  // The position of a batch is one above its first index.
  const first = live ? Number(live.tx) - 1 + BATCH : 0;
  for (let at = first; at < record.observations; at += BATCH) {
    const companies = list(at, record.companies, record.company);
    await apply(index, list(at, record.observations, record.observation), at + 1, {
      companies,
      complete: at + BATCH >= record.observations,
    });
    onFilled(Math.min(1, (at + BATCH) / record.observations));
  }
  const seconds = (performance.now() - begun) / 1000;
  await index.refreshStatistics();
  return { observations: Math.max(0, record.observations - first), seconds };
}

export interface Added {
  readonly perSecond: number;
  readonly processorMs: number;
}

/** Adds to a full index. `forget` withdraws observations with ids above a number. */
export async function measureAdding(
  index: ObservationIndex,
  record: GeneratedRecord,
  clock: ProcessorClock,
  forget: (above: number) => Promise<void>,
): Promise<Added> {
  const more = Array.from({ length: ADDED }, (_, at) =>
    create(ObservationDocumentSchema, {
      ...record.observation((at * 7919) % record.observations),
      id: BigInt(FIRST_ADDED + at + 1),
    }),
  );
  const [used, begun] = [clock(), performance.now()];
  for (let at = 0; at < ADDED; at += BATCH) await apply(index, more.slice(at, at + BATCH));
  const seconds = (performance.now() - begun) / 1000;
  const processorMs = (clock() - used) / ADDED;
  await forget(FIRST_ADDED);
  return { perSecond: ADDED / seconds, processorMs };
}

export interface Arrivals extends AsyncDisposable {
  readonly perSecond: () => number;
}

/** Adds A_SECOND observations of today to the index a second, and withdraws them at the end. */
export function startArrivals(
  index: ObservationIndex,
  record: GeneratedRecord,
  forget: (above: number) => Promise<void>,
): Arrivals {
  const closing = new AbortController();
  const begun = performance.now();
  let [made, arrived] = [0, 0];
  const arrive = async () => {
    while (!closing.signal.aborted) {
      const observations = Array.from({ length: A_SECOND / BATCHES_A_SECOND }, (_, at) =>
        arrival(record, made + at + 1),
      );
      made += observations.length;
      await applyPatiently(index, observations);
      arrived += observations.length;
      const due = begun + (made / A_SECOND) * 1000;
      await pause(Math.max(0, due - performance.now()), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = arrive();
  // The disposal reports the error.
  running.catch(() => undefined);
  return {
    perSecond: () => arrived / ((performance.now() - begun) / 1000),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await forget(record.observations);
    },
  };
}

/** Retries while the engine is overloaded, as the projector does, which delays later ones. */
async function applyPatiently(index: ObservationIndex, observations: readonly ObservationDocument[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await apply(index, observations);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(AGAIN_AFTER_MS);
    }
}

/** Moves the feed to a position, by default to the next one. */
async function apply(
  index: ObservationIndex,
  observations: readonly ObservationDocument[],
  position?: number,
  { companies = [], complete = true }: { companies?: readonly CompanyDocument[]; complete?: boolean } = {},
): Promise<void> {
  const from = (await index.feedState()).live;
  const to = positionAt(position ?? Number(from?.tx ?? 0n) + 1);
  await index.apply({ observations, companies, range: { feed: 'live', from, to, complete } }, 1n);
}

function positionAt(number: number): ChangePosition {
  return create(ChangePositionSchema, { tx: BigInt(number), seq: 1n });
}

function arrival(record: GeneratedRecord, number: number): ObservationDocument {
  const now = timestampFromDate(new Date());
  return create(ObservationDocumentSchema, {
    ...record.observation(number % record.observations),
    ...{ id: BigInt(record.observations + number), occurredAt: now, observedAt: now, recordedAt: now },
  });
}
