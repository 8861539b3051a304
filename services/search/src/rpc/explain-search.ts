import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ExplainSearchRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { nameOf, profileOf, textsOfObservation } from '../explaining/field-texts.ts';
import { type FieldText, findGain, findQuoted } from '../explaining/find-gains.ts';
import type { RankedCompany } from '../ranking/rank-companies.ts';
import { rankCompanies } from '../ranking/rank-companies.ts';
import type { RankedHit } from '../ranking/ranking.ts';
import { requireCount, requireSearch } from './checks.ts';
import { readMeaning } from './query-meaning.ts';

/** Up to three observations each: one call of lookup returns as many documents. */
const COMPANIES = 100;

interface Found {
  readonly company: RankedCompany;
  readonly document: CompanyDocument | undefined;
  readonly observations: ReadonlyMap<bigint, ObservationDocument>;
}

export async function explainSearch(
  dependencies: Dependencies,
  request: ExplainSearchRequest,
  context: HandlerContext,
) {
  const { index, vocabulary, calibration } = dependencies;
  const { plan, filters } = requireSearch(request);
  const limits = {
    candidates: requireCount(request.candidateLimit, 100, 2000, 'candidate_limit'),
    companies: requireCount(request.maxCompanies, 1, COMPANIES, 'max_companies'),
    calibration,
  };
  if (plan.empty) return { companies: [] };
  const meaning = await readMeaning(dependencies, plan, context);
  const how = { explain: true, timeoutMs: context.timeoutMs(), meaning };
  const { companies } = await rankCompanies(index, plan, filters, limits, how);
  const found = await readDocuments(dependencies, companies);
  return {
    companies: found.map((one) => {
      const texts = textsOf(one, vocabulary.placeCodes);
      return {
        companyId: one.company.companyId,
        name: one.document?.name ?? '',
        score: one.company.score,
        relevance: one.company.relevance,
        hits: one.company.hits.map((hit) => explained(hit, plan, texts, nameOf(one.document))),
      };
    }),
  };
}

async function readDocuments({ lookup }: Dependencies, companies: readonly RankedCompany[]): Promise<Found[]> {
  const documents = await lookup.getDocuments({
    companyIds: companies.map((company) => company.companyId),
    observationIds: companies.flatMap((company) => company.hits.map((hit) => hit.observationId)),
  });
  const byId = new Map(documents.companies.map((document) => [document.id, document]));
  const observations = new Map(documents.observations.map((document) => [document.id, document]));
  return companies.map((company) => ({ company, document: byId.get(company.companyId), observations }));
}

function textsOf({ company, document, observations }: Found, codes: ReadonlyMap<string, string>) {
  return new Map<bigint, FieldText[]>([
    [0n, profileOf(document, codes)],
    ...company.hits.map(({ observationId: id }): [bigint, FieldText[]] => [
      id,
      textsOfObservation(observations.get(id), codes),
    ]),
  ]);
}

function explained(hit: RankedHit, plan: Plan, texts: ReadonlyMap<bigint, FieldText[]>, name: readonly FieldText[]) {
  const profile = texts.get(0n) ?? [];
  const own = texts.get(hit.observationId) ?? [];
  return {
    observationId: hit.observationId,
    score: hit.score,
    gains: [
      ...hit.gains.map((gain) => findGain(gain, gain.ofCompany ? profile : own)),
      ...plan.phrases.map((phrase) => findQuoted(phrase, [...own, ...name, ...profile])),
    ],
    place: hit.place,
    kind: hit.kind,
    kindFactor: hit.kindFactor,
    placeFactor: hit.placeFactor,
    timeFactor: hit.timeFactor,
    avoidedFactor: hit.avoidedFactor,
    answerFactor: hit.answerFactor,
    factFactor: hit.factFactor,
    highest: hit.highest,
  };
}
