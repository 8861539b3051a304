import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AcquireRequestSchema,
  type AcquireResponse,
  AcquireStop,
} from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Acquisition, Bounds } from '../action.ts';
import type { FilterValues } from '../effective-search.ts';

export interface Attempt {
  readonly operationId: bigint;
  readonly fence: bigint;
  readonly background: boolean;
}

export interface Acquired {
  readonly stop: 'exhausted' | 'time' | 'budget' | 'disabled';
  /** Transaction of the record's last write for this attempt; 0: none. */
  readonly tx: bigint;
  readonly freshObservationIds: ReadonlySet<number>;
  readonly failed: boolean;
}

/** A longer budget takes several calls; acquisition answers later ones from what it has kept. */
const CALL_MS = 60_000;
/** Bounds all sources of a background search. */
const BACKGROUND_MS = 600_000;
const MARGIN_MS = 2_000;
const MAX_TERMS = 50;
const MAX_PHRASES = 20;

export async function acquireFresh(
  { service, waitedMs }: Acquisition,
  attempt: Attempt,
  plan: Plan,
  filters: FilterValues,
  { signal }: Bounds,
): Promise<Acquired> {
  const request = toRequest(attempt, plan, filters);
  const deadline = performance.now() + (attempt.background ? BACKGROUND_MS : waitedMs);
  let failed = false;
  for (;;) {
    const budgetMs = Math.max(1, Math.min(CALL_MS, Math.floor(deadline - performance.now())));
    const answer = await ask(signal, () =>
      service.acquire({ ...request, budgetMs }, { signal, timeoutMs: budgetMs + MARGIN_MS }),
    );
    if (!answer) return { stop: 'exhausted', tx: 0n, freshObservationIds: new Set(), failed: true };
    failed ||= answer.failures.length > 0;
    if (answer.stop !== AcquireStop.TIME || budgetMs < CALL_MS) return { ...toAcquired(answer), failed };
  }
}

/** Undefined without an answer: the search continues. Acquisition logs its own errors. */
async function ask(signal: AbortSignal, call: () => Promise<AcquireResponse>): Promise<AcquireResponse | undefined> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

function toRequest(
  { operationId, fence }: Attempt,
  plan: Plan,
  filters: FilterValues,
): MessageInitShape<typeof AcquireRequestSchema> {
  const terms = plan.activity.toSorted((a, b) => b.weight - a.weight).map((term) => term.text || term.words[0] || '');
  return {
    operationId,
    fence,
    query: plan.query,
    terms: [...new Set(terms)].filter(Boolean).slice(0, MAX_TERMS),
    phrases: plan.phrases.slice(0, MAX_PHRASES),
    kinds: filters.kinds ?? [],
    countries: filters.countries ?? [],
    ...(filters.occurredAfter && { occurredAfter: filters.occurredAfter }),
  };
}

function toAcquired({ stop, tx, freshObservationIds }: AcquireResponse): Omit<Acquired, 'failed'> {
  return { stop: STOPS[stop] ?? 'exhausted', tx, freshObservationIds: new Set(freshObservationIds.map(Number)) };
}

const STOPS: Readonly<Record<number, Acquired['stop']>> = {
  [AcquireStop.EXHAUSTED]: 'exhausted',
  [AcquireStop.TIME]: 'time',
  [AcquireStop.BUDGET]: 'budget',
  [AcquireStop.DISABLED]: 'disabled',
};
