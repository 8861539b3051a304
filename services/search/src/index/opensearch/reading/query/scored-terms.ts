import type { Alternative, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { terms as anyTerm, noneOf, type Query } from './query.ts';
import { countedOnceLexemes, lexemes } from './texts.ts';

export function scoredTerm({ alternatives, namesKinds }: WeighedTerm): Query {
  const best: Query = { dis_max: { queries: alternatives.flatMap(scoredAlternative) } };
  if (namesKinds.length === 0) return best;
  return { bool: { must: [best], filter: [noneOf([anyTerm('kind', namesKinds.map(String))])] } };
}

/** Only a single word counts by frequency. Phrases and synonyms count once. */
function scoredAlternative({ phrases, weight }: Alternative): Query[] {
  const isWord = phrases.length === 1 && phrases[0]?.length === 1;
  return phrases.map((phrase) => (isWord ? lexemes(phrase, weight) : countedOnceLexemes(phrase, weight)));
}
