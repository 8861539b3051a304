import { addUpScore } from '../../../ranking/add-up-score.ts';
import type { ScoredRow } from '../../scored-observation.ts';
import type { RankStatement } from '../statement/rank-statement.ts';
import { admissionOf } from './admission.ts';
import { bestOfBestCompanies } from './best-companies.ts';
import type { CopiedIndex } from './copied-index.ts';
import { describedCompanies } from './described-companies.ts';
import { findByContext } from './find-by-context.ts';
import { findMatches } from './find-matches.ts';
import { planFactors } from './plan-factors.ts';
import { scoreTexts } from './score-texts.ts';
import type { LexemePattern } from './tsvector-text.ts';

/** What a copy gives of what the ranking statement gives. */
export interface CopyRanking {
  readonly rows: readonly ScoredRow[];
  readonly isRetrievalCut: boolean;
}

/**
 * Ranks in a copy as the statement of `rankSql` does in the database: companies that fit, observations that match or are
 * theirs, their scores, the best companies, and of these alone the best observations. Nothing is cut by a number of matches. Its
 * texts may be those of the searched partitions alone.
 */
export function rankCopy(
  copy: CopiedIndex,
  statement: RankStatement,
  patterns: ReadonlyMap<string, LexemePattern>,
  now: number,
): CopyRanking {
  const { plan, scoring, retrieval, filters } = statement;
  const { observations: table, scratch } = copy;
  scratch.begin();
  const admits = admissionOf(table, filters, statement, now);
  const factors = planFactors(copy, plan, scoring.placeGain, patterns);
  const described = describedCompanies(copy, scoring.context, retrieval.context);
  const candidates = findMatches(copy, statement, admits, factors.inPlace);
  const byContext = findByContext(table, statement, admits, described);
  for (const document of byContext.documents) candidates.takeAdmitted(document);
  const { documents, placeOf } = candidates;
  const own = scoreTexts(copy.observationTexts, scoring.own, {
    documents,
    placeOf,
    lengths: table.lengths.values,
    kinds: table.kinds.values,
  });
  const [companyOf, gainOf] = [table.companies.values, described.gainOf];
  const partsAt = (place: number) => {
    const number = documents[place] ?? 0;
    return addUpScore(scoring, plan, {
      own: own[place] ?? 0,
      ofCompany: gainOf[companyOf[number] ?? 0] ?? 0,
      atPlace: factors.place(number),
      kindFactor: factors.kind(number),
      timeFactor: factors.time(number),
      avoidedFactor: factors.avoided(number),
      factFactor: factors.facts(number),
    });
  };
  const totals = new Float64Array(documents.length);
  for (let place = 0; place < totals.length; place += 1) totals[place] = partsAt(place).total;
  const places = bestOfBestCompanies(copy, documents, totals, statement.companies, statement.observationsPerCompany);
  const rows = places.map((place) => {
    const number = documents[place] ?? 0;
    const observationId = BigInt(table.ids.values[number] ?? 0);
    const companyId = BigInt(table.companyIds.values[companyOf[number] ?? 0] ?? 0);
    return { observationId, companyId, own: own[place] ?? 0, ownGains: null, contextGains: null, ...partsAt(place) };
  });
  return { rows, isRetrievalCut: byContext.isCut };
}
