import { create } from '@bufbuild/protobuf';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import {
  type ObservationSearchInput,
  ObservationSearchInputSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { ObservationHit } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { openCursor, signCursor } from '../cursor/cursor.ts';
import { pageFingerprint } from '../input/fingerprint.ts';
import type { ObservationSearchForm } from '../input/form.ts';
import { parseObservationSearch } from '../input/parse.ts';
import type { Operation } from '../model/operation.ts';
import type { Hydrated, Reference } from '../model/result.ts';
import { microsToTimestamp, toMicros } from '../time.ts';
import {
  type ActionDependencies,
  type ActionOutput,
  type Bounds,
  distinctCompanies,
  type PaymentPath,
  type RequestedAction,
} from './action.ts';
import { admissibleLimit, effectiveLimit, type FilterValues, observationFilters } from './effective-search.ts';
import { hydrate } from './hydrate.ts';
import { sandboxPaymentPath } from './sandbox-outcome.ts';

export function requestObservationSearch(
  deps: ActionDependencies,
  input: ObservationSearchInput = create(ObservationSearchInputSchema),
  background: boolean,
): RequestedAction {
  const form = parseObservationSearch(input);
  return {
    input: { action: 'observation_search', form },
    admit: (principal, now) => admit(deps, principal, form, background, now),
  };
}

/** A caller who waits is charged after a read; a background search holds the worst case. */
function admit(
  deps: ActionDependencies,
  principal: Principal,
  form: ObservationSearchForm,
  background: boolean,
  now: Date,
): PaymentPath {
  const limit = admissibleLimit(form, principal);
  const start = openPage(deps, principal.accountId, form, now);
  const sandbox = sandboxPaymentPath(deps, principal.testMode, form.query, limit);
  if (sandbox) return sandbox;
  if (background) return { kind: 'hold', worstCaseUnits: limit };
  return {
    kind: 'charge',
    worstCaseUnits: limit,
    perform: (bounds) => readPage(deps, principal.accountId, form, start, bounds),
  };
}

export async function performObservationSearch(
  deps: ActionDependencies,
  { accountId, createdAt }: Operation,
  form: ObservationSearchForm,
  bounds: Bounds,
): Promise<ActionOutput> {
  return await readPage(deps, accountId, form, openPage(deps, accountId, form, createdAt), bounds);
}

interface ObservedStart {
  /** Rows recorded later are left out. The first page's `as_of`, in microseconds since 1970. */
  readonly recordedBy: bigint;
  readonly after: { readonly observedAt: bigint; readonly id: bigint } | undefined;
  readonly expiresAt: Date;
}

/** Rows of a read, and the most reads for a page. After MAX_READS the page is returned short. */
const MAX_HITS = 51;
const MAX_READS = 20;

/**
 * The start of the first page, or the cursor's. Throws INVALID_CURSOR unless the cursor belongs to
 * this account and search.
 */
function openPage(
  deps: Pick<ActionDependencies, 'cursorKeys' | 'cursorTtlMs'>,
  accountId: bigint,
  form: ObservationSearchForm,
  now: Date,
): ObservedStart {
  if (form.cursor === undefined)
    return {
      recordedBy: BigInt(now.getTime()) * 1000n,
      after: undefined,
      expiresAt: new Date(now.getTime() + deps.cursorTtlMs),
    };
  const binding = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_search', form }) };
  const { position, expiresAt } = openCursor(deps.cursorKeys, 'observed', form.cursor, now, binding);
  return { recordedBy: position.recordedBy, after: { observedAt: position.observedAt, id: position.id }, expiresAt };
}

async function readPage(
  deps: ActionDependencies,
  accountId: bigint,
  form: ObservationSearchForm,
  start: ObservedStart,
  bounds: Bounds,
): Promise<ActionOutput> {
  const filters = observationFilters(form);
  const page = await fillPage(deps, form, filters, start, bounds);
  const { recordedBy } = start;
  const asOf = new Date(Number(recordedBy / 1000n));
  const pageOf = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_search', form }) };
  return {
    hydrated: page.hydrated,
    result: {
      items: page.items,
      details: { action: 'observation_search' },
      settledCompanyIds: distinctCompanies(page.hydrated.map((one) => one.survivorId)),
      requestUnits: 1,
      freshEvidenceUnits: 0,
      asOf,
      judgedAt: page.judgedAt ?? asOf,
      nextCursor:
        page.last && page.hasMore
          ? signCursor(deps.cursorKeys, { kind: 'observed', recordedBy, ...page.last }, start.expiresAt, pageOf)
          : undefined,
    },
  };
}

interface FilledPage {
  readonly items: Reference[];
  readonly hydrated: Hydrated[];
  judgedAt: Date | undefined;
  last: ObservedStart['after'];
  hasMore: boolean;
}

/** Reads rows until the page is full of deliverable ones or no row is left. */
async function fillPage(
  deps: ActionDependencies,
  form: ObservationSearchForm,
  filters: FilterValues | undefined,
  start: ObservedStart,
  bounds: Bounds,
): Promise<FilledPage> {
  const limit = effectiveLimit(form);
  const page: FilledPage = { items: [], hydrated: [], judgedAt: undefined, last: start.after, hasMore: !!filters };
  for (let read = 0; read < MAX_READS && page.hasMore && page.items.length < limit; read += 1) {
    const wanted = Math.min(MAX_HITS, read === 0 ? limit : MAX_HITS);
    const { hits, hasMore } = await deps.search.searchObservations(
      {
        query: form.query,
        ...(filters && { filters }),
        recordedBy: microsToTimestamp(start.recordedBy),
        ...(page.last && { beforeObservedAt: microsToTimestamp(page.last.observedAt), beforeId: page.last.id }),
        limit: wanted,
      },
      bounds,
    );
    page.hasMore = hasMore;
    await takeDeliverable(deps, page, hits, limit, bounds);
  }
  return page;
}

async function takeDeliverable(
  deps: ActionDependencies,
  page: FilledPage,
  hits: readonly ObservationHit[],
  limit: number,
  bounds: Bounds,
): Promise<void> {
  const references = hits.map((hit) => ({
    company_id: Number(hit.companyId),
    observation_ids: [Number(hit.observationId)],
  }));
  const { hydrated, readAt } = await hydrate(deps, references, page.judgedAt, bounds);
  page.judgedAt ??= readAt;
  for (const [index, hit] of hits.entries()) {
    if (page.items.length === limit) {
      page.hasMore = true;
      return;
    }
    const [one, reference] = [hydrated[index], references[index]];
    if (one?.company && reference) {
      page.hydrated.push(one);
      page.items.push({ ...reference, company_id: Number(one.survivorId) });
    }
    page.last = { observedAt: toMicros(hit.observedAt), id: hit.observationId };
  }
}
