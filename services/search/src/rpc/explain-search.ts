import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ExplainSearchRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { textOfName } from '../explaining/document-text.ts';
import { describeGain, describeQuoted, gainsOf } from '../explaining/find-gains.ts';
import { readTexts } from '../explaining/read-texts.ts';
import { rankCompanies } from '../ranking/rank-companies.ts';
import type { RankedHit, Ranking } from '../ranking/ranking.ts';
import { requireCount, requireSearch } from './checks.ts';
import { readMeaning } from './query-meaning.ts';

const COMPANIES = 100;

type TextsOf = Awaited<ReturnType<typeof readTexts>>;

export async function explainSearch(
  dependencies: Dependencies,
  request: ExplainSearchRequest,
  context: HandlerContext,
) {
  const { index, calibration } = dependencies;
  const { plan, filters } = requireSearch(request);
  const limits = {
    candidates: requireCount(request.candidateLimit, 100, 2000, 'candidate_limit'),
    companies: requireCount(request.maxCompanies, 1, COMPANIES, 'max_companies'),
    calibration,
  };
  if (plan.empty) return { companies: [] };
  const meaning = await readMeaning(dependencies, plan, context);
  const how = { timeoutMs: context.timeoutMs(), meaning };
  const { companies, ranking } = await rankCompanies(index, plan, filters, limits, how);
  const textsOf = await readTexts(
    dependencies,
    companies.flatMap(({ hits }) => hits),
  );
  return {
    companies: companies.map(({ companyId, score, relevance, hits }) => ({
      companyId,
      name: hits[0] ? textsOf(hits[0]).company.name : '',
      score,
      relevance,
      hits: hits.map((hit) => explained(hit, plan, ranking, textsOf(hit))),
    })),
  };
}

function explained(hit: RankedHit, plan: Plan, ranking: Ranking, { company, own, profile }: ReturnType<TextsOf>) {
  return {
    ...hit,
    gains: [
      ...gainsOf(hit, ranking, own, profile).map((gain) => describeGain(gain, gain.ofCompany ? profile : own)),
      ...plan.phrases.map((phrase) => describeQuoted(phrase, [...own.fields, textOfName(company), ...profile.fields])),
    ],
  };
}
