import type { SearchResponse } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Shortlist } from '../../db/shortlist.ts';
import { pageFingerprint } from '../../input/fingerprint.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import { retrievalName } from '../../model/enum-names.ts';
import type { Operation } from '../../model/operation.ts';
import type { FrozenCoverage, Reference } from '../../model/result.ts';
import type { ActionDependencies, ActionOutput, Bounds } from '../action.ts';
import { type EffectiveSearch, effectiveSearch } from '../effective-search.ts';
import { toPage } from './page.ts';
import { EMPTY_RANKING, type Ranking, rankFresh } from './rank.ts';
import { type WalkStart, walkShortlist } from './walk-shortlist.ts';

const BEGINNING: WalkStart = { from: 0, passedOver: [] };

export async function searchFirstPage(
  deps: ActionDependencies,
  operation: Operation,
  fence: bigint,
  form: CompanySearchForm,
  bounds: Bounds,
): Promise<ActionOutput> {
  const search = effectiveSearch(form, operation.createdAt);
  const ranking =
    search.kinds.length > 0 ? await rankFresh(deps, operation, fence, form, search, bounds) : EMPTY_RANKING;
  const fresh = ranking.acquired?.freshObservationIds ?? new Set<number>();
  const items = (ranking.found?.companies ?? []).slice(0, search.shortlistCap).map((company) => toItem(company, fresh));
  const walk = await walkShortlist(deps, items, BEGINNING, search.limit, bounds);
  const shortlist: Shortlist = {
    id: operation.id,
    accountId: operation.accountId,
    pageFingerprint: pageFingerprint(operation.input),
    items,
    coverage: coverageOf(search, items.length, ranking, deps.acquisition !== undefined && !operation.testMode),
    asOf: walk.judgedAt,
    expiresAt: new Date(walk.judgedAt.getTime() + deps.cursorTtlMs),
  };
  const stopReason = stopReasonOf(form, search, items.length, walk.companies.length, ranking);
  return {
    ...toPage(deps, shortlist, search.limit, BEGINNING, walk, stopReason),
    frozen: { plan: ranking.plan, shortlist },
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

function coverageOf(
  search: EffectiveSearch,
  available: number,
  { plan, notRecorded, found, acquired }: Ranking,
  acquires: boolean,
): FrozenCoverage {
  const retrieval = found ? retrievalName(found.retrieval) : (plan?.retrieval ?? 'lexical');
  const limitations = [
    'limited_source_coverage',
    ...(found?.relevanceValidated ? [] : ['relevance_not_validated']),
    ...(retrieval === 'lexical' ? ['lexical_only'] : []),
    ...(acquires && acquired?.stop !== 'disabled' ? [] : ['acquisition_disabled']),
    ...(acquired?.failed ? ['source_unavailable'] : []),
    ...(found?.monthsLeftOut ? ['kept_months'] : []),
    ...(found?.candidatesTruncated ? ['candidates_truncated'] : []),
    ...notRecorded,
    ...(found?.notMet ?? []),
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
