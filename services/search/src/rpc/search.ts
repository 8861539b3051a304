import { inSpan } from '@ces/chassis/telemetry/span';
import { type Plan, Retrieval, type SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { gainsOf, type TermGain } from '../explaining/find-gains.ts';
import { readTexts } from '../explaining/read-texts.ts';
import { waitForTransaction } from '../projector/wait-for-transaction.ts';
import type { RankedCompany } from '../ranking/rank-companies.ts';
import { type CompanyRanking, rankCompanies } from '../ranking/rank-companies.ts';
import type { RankedHit } from '../ranking/ranking.ts';
import { type Limits, requireLimits, requireSearch } from './checks.ts';
import { readMeaning } from './query-meaning.ts';

export async function search(dependencies: Dependencies, request: SearchRequest, context: HandlerContext) {
  const { plan, filters } = requireSearch(request);
  const limits = requireLimits(request);
  if (request.waitForTx > 0n) {
    dependencies.wakeProjector();
    await waitForTransaction(dependencies.index, request.waitForTx, context);
  }
  if (plan.empty) return { retrieval: Retrieval.LEXICAL, ...(await positionOf(dependencies.index)) };
  return await rank(dependencies, plan, filters, { ...limits, explain: request.explain }, context);
}

export async function rank(
  dependencies: Dependencies,
  plan: Plan,
  filters: SearchFilters,
  { explain = false, ...limits }: Limits & { readonly explain?: boolean },
  context: HandlerContext,
) {
  const { index, calibration } = dependencies;
  const meaning = await readMeaning(dependencies, plan, context);
  const how = { timeoutMs: context.timeoutMs(), meaning };
  const found = await inSpan('rank companies', {}, () =>
    rankCompanies(index, plan, filters, { ...limits, calibration }, how),
  );
  const reordered = await reorder(dependencies, plan, found.companies, context);
  const companies = reordered ?? found.companies;
  const explanationOf = explain ? await explainBest(dependencies, companies, found) : undefined;
  return {
    companies: companies.map((company) => shortlisted(company, explanationOf)),
    retrieval: reordered || found.byMeaning ? Retrieval.HYBRID : Retrieval.LEXICAL,
    candidateCompanies: found.candidates,
    candidateLimitReached: found.candidateLimitReached,
    candidatesTruncated: isTruncated(found, plan),
    monthsLeftOut: found.ranking.monthsLeftOut,
    droppedTerms: [...found.ranking.droppedTerms, ...plan.leftOut],
    relevanceValidated: found.relevanceValidated,
    notMet: found.unmet.map((condition) => `${condition}_not_met`),
    ...(found.ranking.position && { position: found.ranking.position }),
  };
}

async function reorder(
  { reorderer }: Dependencies,
  { query }: Plan,
  companies: readonly RankedCompany[],
  context: HandlerContext,
): Promise<readonly RankedCompany[] | undefined> {
  if (!reorderer) return undefined;
  const bounds = { signal: context.signal, timeoutMs: context.timeoutMs() };
  return await inSpan('rerank companies', {}, () => reorderer.reorder(query, companies, bounds));
}

/** Above the candidate limit, anything not retrieved ranks below all candidates. */
function isTruncated({ ranking, candidateLimitReached }: CompanyRanking, plan: Plan): boolean {
  return ranking.truncated || plan.leftOut.length > 0 || (ranking.retrievalCut && !candidateLimitReached);
}

async function positionOf(index: Dependencies['index']) {
  const { live } = await index.feedState();
  return live && { position: live };
}

async function explainBest(
  dependencies: Dependencies,
  companies: readonly RankedCompany[],
  { ranking }: CompanyRanking,
) {
  const textsOf = await readTexts(
    dependencies,
    companies.flatMap(({ hits }) => hits.slice(0, 1)),
  );
  return (hit: RankedHit) => {
    const { ownText, companyContext, place, kindFactor } = hit;
    const { own, profile } = textsOf(hit);
    const matches = gainsOf(hit, ranking, own, profile).map(gainLine);
    return { ownText, companyContext, place, kindFactor, matches };
  };
}

function shortlisted(company: RankedCompany, explanationOf: Awaited<ReturnType<typeof explainBest>> | undefined) {
  const [best] = company.hits;
  return {
    companyId: company.companyId,
    observationIds: company.hits.map((hit) => hit.observationId),
    score: company.score,
    relevance: company.relevance,
    ...(explanationOf && best && { explanation: explanationOf(best) }),
  };
}

function gainLine({ term, ofCompany, value }: TermGain): string {
  return `${ofCompany ? 'description' : 'text'} ${term.text} +${value.toFixed(2)}`;
}
