import { addUpScore, totalScore } from '../../../../ranking/add-up-score.ts';
import type { ScoredRow } from '../../../scored-observation.ts';
import type { RankStatement } from '../../statement/rank-statement.ts';
import type { SearchedCopy } from '../copied-index.ts';
import type { LexemePattern } from '../texts/tsvector-text.ts';
import { admissionOf } from './admission.ts';
import { bestOfBestCompanies } from './best-companies.ts';
import { describedCompanies } from './described-companies.ts';
import { findByContext } from './find-by-context.ts';
import { findMatches } from './find-matches.ts';
import { planFactors } from './plan-factors.ts';
import { scoreTexts } from './score-texts.ts';

export interface CopyRanking {
  readonly rows: readonly ScoredRow[];
  readonly isRetrievalCut: boolean;
}

/**
 * Ranks in memory exactly like the statement of `rankSql`, but without a match budget. Its texts
 * may cover only the searched partitions.
 */
export function rankCopy(
  copy: SearchedCopy,
  statement: RankStatement,
  patterns: ReadonlyMap<string, LexemePattern>,
  now: number,
): CopyRanking {
  const { plan, scoring, retrieval, filters } = statement;
  const { observations: table, companyNumbers, scratch } = copy;
  scratch.begin();
  const admission = admissionOf(table, filters, statement, now);
  const factors = planFactors(copy, plan, scoring.placeGain, patterns);
  const described = describedCompanies(copy, scoring.context, retrieval.context);
  const candidates = findMatches(copy, statement, admission, factors.inPlace);
  const byContext = findByContext(copy, statement, admission, described);
  for (const document of byContext.documents) candidates.takeAdmitted(document);
  const { documents, places } = candidates;
  const [lengths, codes] = [table.lengths.values, table.codes.values];
  const own = scoreTexts(copy.observationTexts, scoring.own, { documents, places, lengths, codes }, scratch);
  const companyOf = table.companies.values;
  const partsAt = (place: number) => {
    const number = documents[place] ?? 0;
    const describedAt = (described.places.values[companyOf[number] ?? 0] ?? 0) - described.places.base - 1;
    return {
      own: own[place] ?? 0,
      ofCompany: describedAt < 0 ? 0 : (described.gains[describedAt] ?? 0),
      atPlace: factors.place(number),
      kindFactor: factors.kind(number),
      timeFactor: factors.time(number),
      avoidedFactor: factors.avoided(number),
      factFactor: factors.facts(number),
    };
  };
  const totals = scratch.floats(documents.length);
  for (let place = 0; place < totals.length; place += 1) totals[place] = totalScore(scoring, plan, partsAt(place));
  const best = bestOfBestCompanies(copy, documents, totals, statement.companies, statement.observationsPerCompany);
  const rows = best.map((place) => {
    const number = documents[place] ?? 0;
    const observationId = BigInt(table.ids.values[number] ?? 0);
    const companyId = BigInt(companyNumbers.ids.values[companyOf[number] ?? 0] ?? 0);
    const parts = partsAt(place);
    const scores = addUpScore(scoring, plan, parts);
    return { observationId, companyId, own: parts.own, ownGains: null, contextGains: null, ...scores };
  });
  return { rows, isRetrievalCut: byContext.isCut };
}
