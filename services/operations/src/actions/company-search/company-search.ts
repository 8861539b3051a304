import type { SearchResponse } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { signCursor } from '../../cursor/cursor.ts';
import type { Shortlist } from '../../db/shortlist.ts';
import { pageFingerprint } from '../../input/fingerprint.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import type { Operation } from '../../operation/operation.ts';
import type { FrozenCoverage, Reference } from '../../operation/result.ts';
import { retrievalName } from '../../operation/words.ts';
import { type Bounds, distinctCompanies, type Work, type WorkTools } from '../action.ts';
import { type EffectiveSearch, effectiveSearch } from '../effective-search.ts';
import { toReference } from '../hydrate.ts';
import { NOTHING, type Ranking, rankFresh } from './rank.ts';
import { walkShortlist } from './walk-shortlist.ts';

/** A company search from its plan to its first page (architecture.md, How a company search runs). */
export async function searchCompanies(
  tools: WorkTools,
  operation: Operation,
  fence: bigint,
  form: CompanySearchForm,
  bounds: Bounds,
): Promise<Work> {
  const search = effectiveSearch(form, operation.createdAt);
  const ranking = search.kinds.length > 0 ? await rankFresh(tools, operation, fence, form, search, bounds) : NOTHING;
  const fresh = ranking.acquired?.freshObservationIds ?? new Set<number>();
  const items = (ranking.found?.companies ?? []).slice(0, search.shortlistCap).map((company) => toItem(company, fresh));
  const walk = await walkShortlist(tools, items, 0, search.limit, bounds);
  const shortlist: Shortlist = {
    id: operation.id,
    accountId: operation.accountId,
    pageFingerprint: pageFingerprint(operation.input),
    items,
    coverage: coverageOf(search, items.length, ranking, tools.acquiring !== undefined && !operation.testMode),
    asOf: walk.judgedAt,
    expiresAt: new Date(walk.judgedAt.getTime() + tools.cursorTtlMs),
  };
  const stopReason = stopReasonOf(form, search, items.length, walk.companies.length, ranking);
  return { ...toPage(tools, shortlist, search.limit, 0, walk, stopReason), frozen: { plan: ranking.plan, shortlist } };
}

/** A page as it is stored: the first of a search, or a later one. */
export function toPage(
  tools: WorkTools,
  shortlist: Shortlist,
  limit: number,
  from: number,
  walk: Awaited<ReturnType<typeof walkShortlist>>,
  stopReason: string,
): Work {
  const { companies, positions, to } = walk;
  const next = { kind: 'shortlist', shortlistId: shortlist.id, position: BigInt(to) } as const;
  return {
    hydrated: companies.map((company) => ({ survivorId: company.id, company })),
    result: {
      items: companies.map(toReference),
      details: {
        action: 'company_search',
        limit,
        stop_reason: stopReason,
        coverage: shortlist.coverage,
        page: { shortlist_id: Number(shortlist.id), from, to, positions },
      },
      settledCompanyIds: distinctCompanies(companies.map((company) => company.id)),
      requestUnits: 1,
      freshEvidenceUnits: countFresh(shortlist, walk),
      asOf: shortlist.asOf,
      judgedAt: walk.judgedAt,
      nextCursor:
        to < shortlist.items.length ? signCursor(tools.cursorKeys, next, shortlist.expiresAt, shortlist) : undefined,
    },
  };
}

function toItem(
  { companyId, observationIds }: SearchResponse['companies'][number],
  fresh: ReadonlySet<number>,
): Reference {
  const ids = observationIds.map(Number);
  const freshIds = ids.filter((id) => fresh.has(id));
  return {
    company_id: Number(companyId),
    observation_ids: ids,
    ...(freshIds.length > 0 && { fresh_observation_ids: freshIds }),
  };
}

/** Delivered observations of a page that the acquisition of its shortlist recorded first. */
function countFresh({ items }: Shortlist, { companies, positions }: Awaited<ReturnType<typeof walkShortlist>>): number {
  return companies.reduce((count, company, place) => {
    const fresh = new Set(items[positions[place] ?? -1]?.fresh_observation_ids);
    return count + company.observations.filter((observation) => fresh.has(Number(observation.id))).length;
  }, 0);
}

function coverageOf(
  search: EffectiveSearch,
  available: number,
  { plan, found, acquired }: Ranking,
  acquires: boolean,
): FrozenCoverage {
  const retrieval = found ? retrievalName(found.retrieval) : (plan?.retrieval ?? 'lexical');
  const limitations = [
    'limited_source_coverage',
    ...(found?.relevanceValidated ? [] : ['relevance_not_validated']),
    ...(retrieval === 'lexical' ? ['lexical_only'] : []),
    ...(acquires && acquired?.stop !== 'disabled' ? [] : ['acquisition_disabled']),
    ...(acquired?.failed ? ['source_unavailable'] : []),
    ...(found?.candidatesTruncated ? ['candidates_truncated'] : []),
  ];
  return {
    target: search.goal,
    available,
    candidate_limit: search.candidateLimit,
    retrieval,
    occurred_after: search.occurredAfter,
    limitations,
  };
}

/** Why the shortlist ended, in the precedence of decisions.md. */
function stopReasonOf(
  form: CompanySearchForm,
  search: EffectiveSearch,
  available: number,
  delivered: number,
  { found, acquired }: Ranking,
): string {
  if (form.target !== undefined && available >= form.target) return 'target_reached';
  if (form.target === undefined && delivered >= search.limit) return 'page_filled';
  if (acquired?.stop === 'time') return 'time_budget_reached';
  if (acquired?.stop === 'budget') return 'acquisition_budget_reached';
  if (acquired?.failed) return 'source_unavailable';
  return found?.candidateLimitReached ? 'candidate_limit_reached' : 'sources_exhausted';
}
