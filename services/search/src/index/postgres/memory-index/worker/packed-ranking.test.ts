import { expect, test } from 'vitest';
import type { RankedHit, Ranking } from '../../../../ranking/ranking.ts';
import { packRanking, unpackRanking } from './packed-ranking.ts';

const TERM = { text: 'plant', words: ['plant'], documents: 1, namesKinds: [], supportsKinds: [] };
const ALTERNATIVE = { phrases: [['plant']], weight: 1, documents: 1 };
const TERMS = [{ ...TERM, alternatives: [ALTERNATIVE] }];
const SCORED = { terms: TERMS, candidateTerms: TERMS, corpus: 'observations', meanLength: 8 } as const;
const HIT: RankedHit = {
  observationId: 9_007_199_254_740_991n,
  companyId: 12n,
  ownText: 1.25,
  companyContext: 2.5,
  place: 3.5,
  kind: 4.5,
  kindFactor: 1.5,
  placeFactor: 0.3,
  timeFactor: 0.5,
  avoidedFactor: 1,
  answerFactor: 0.8,
  factFactor: 0.6,
  highest: 30,
  score: 0.1,
  relevance: { score: 0.2, highest: 20 },
};
const RANKING: Ranking = {
  hits: [HIT, { ...HIT, observationId: 1n, ownText: 0, relevance: { ...HIT.relevance, similarity: 0.75 } }],
  droppedTerms: ['one'],
  truncated: true,
  monthsLeftOut: true,
  retrievalCut: false,
  countedObservations: 7,
  ranksByWords: true,
  scoring: { own: SCORED, context: { ...SCORED, corpus: 'descriptions' } },
  position: undefined,
};

test('a ranking is the same on the other side of a thread', () => {
  expect(unpackRanking(structuredClone(packRanking(RANKING)))).toEqual(RANKING);
  expect(unpackRanking(structuredClone(packRanking({ ...RANKING, hits: [] })))).toEqual({ ...RANKING, hits: [] });
});
