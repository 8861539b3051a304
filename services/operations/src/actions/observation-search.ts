import type { ObservationHit } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { invalidCursor, openCursor, signCursor } from '../cursor/cursor.ts';
import type { CursorKeys } from '../cursor/keys.ts';
import { pageFingerprint } from '../input/fingerprint.ts';
import type { ObservationSearchForm } from '../input/form.ts';
import type { Reference } from '../operation/result.ts';
import { microsToTimestamp, toMicros } from '../time.ts';
import { type Bounds, distinctCompanies, type Hydrated, type Work, type WorkTools } from './action.ts';
import { effectiveLimit, type FilterValues, observationFilters } from './effective-search.ts';
import { hydrate } from './hydrate.ts';

/** Where a page begins, and what it may see. */
export interface ObservedStart {
  /** Only what was recorded by then, in microseconds: the first page's `as_of`. */
  readonly recordedBy: bigint;
  /** The last row of the page before. */
  readonly after: { readonly observedAt: bigint; readonly id: bigint } | undefined;
  readonly expiresAt: Date;
}

/** Rows asked for at once, and how often at most before a page is left short. */
const MAX_HITS = 51;
const MAX_ROUNDS = 20;

/** The first page's start, or the one that a cursor names; INVALID_CURSOR unless it belongs to this account and search. */
export function openObservedPage(
  tools: { readonly cursorKeys: CursorKeys; readonly cursorTtlMs: number },
  accountId: bigint,
  form: ObservationSearchForm,
  now: Date,
): ObservedStart {
  if (form.cursor === undefined)
    return {
      recordedBy: BigInt(now.getTime()) * 1000n,
      after: undefined,
      expiresAt: new Date(now.getTime() + tools.cursorTtlMs),
    };
  const binding = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_search', form }) };
  const { place, expiresAt } = openCursor(tools.cursorKeys, form.cursor, now, binding);
  if (place.kind !== 'observed') throw invalidCursor();
  return { recordedBy: place.recordedBy, after: { observedAt: place.observedAt, id: place.id }, expiresAt };
}

/** A page of single observations, newest observed first. */
export async function searchObservations(
  tools: WorkTools,
  accountId: bigint,
  form: ObservationSearchForm,
  start: ObservedStart,
  bounds: Bounds,
): Promise<Work> {
  const filters = observationFilters(form);
  const page = await fillPage(tools, form, filters, start, bounds);
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
          ? signCursor(tools.cursorKeys, { kind: 'observed', recordedBy, ...page.last }, start.expiresAt, pageOf)
          : undefined,
    },
  };
}

interface FilledPage {
  readonly items: Reference[];
  readonly hydrated: Hydrated[];
  /** When the first rows were read. */
  judgedAt: Date | undefined;
  /** The last row looked at. */
  last: ObservedStart['after'];
  hasMore: boolean;
}

/** Reads rows until the page is full of deliverable ones or none is left. */
async function fillPage(
  tools: WorkTools,
  form: ObservationSearchForm,
  filters: FilterValues | undefined,
  start: ObservedStart,
  bounds: Bounds,
): Promise<FilledPage> {
  const limit = effectiveLimit(form);
  const page: FilledPage = { items: [], hydrated: [], judgedAt: undefined, last: start.after, hasMore: !!filters };
  for (let round = 0; round < MAX_ROUNDS && page.hasMore && page.items.length < limit; round += 1) {
    const wanted = Math.min(MAX_HITS, round === 0 ? limit : MAX_HITS);
    const { hits, hasMore } = await tools.search.searchObservations(
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
    await takeDeliverable(tools, page, hits, limit, bounds);
  }
  return page;
}

async function takeDeliverable(
  tools: WorkTools,
  page: FilledPage,
  hits: readonly ObservationHit[],
  limit: number,
  bounds: Bounds,
): Promise<void> {
  const references = hits.map((hit) => ({
    company_id: Number(hit.companyId),
    observation_ids: [Number(hit.observationId)],
  }));
  const { hydrated, readAt } = await hydrate(tools, references, page.judgedAt, bounds);
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
