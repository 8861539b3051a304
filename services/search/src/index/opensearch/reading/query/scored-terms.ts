import type { Alternative, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { terms as anyTerm, noneOf, type Query } from './query.ts';
import { countedOnceLexemes, lexemes } from './texts.ts';

export function scoredTerm(term: WeighedTerm, nameOf?: (alternative: Alternative) => string): Query {
  const isElse = term.namesKinds.length > 0 ? [noneOf([anyTerm('kind', term.namesKinds.map(String))])] : [];
  const queries = term.alternatives.flatMap((alternative) => {
    const scored = scoredAlternative(alternative);
    if (!nameOf) return scored;
    /* OpenSearch reports a nested name even if its enclosing query does not match. */
    return [{ bool: { must: [{ dis_max: { queries: scored } }], filter: isElse, _name: nameOf(alternative) } }];
  });
  const best: Query = { dis_max: { queries } };
  return isElse.length > 0 ? { bool: { must: [best], filter: isElse } } : best;
}

/** Only a single word counts by frequency. Phrases and synonyms count once. */
function scoredAlternative({ phrases, weight }: Alternative): Query[] {
  const isWord = phrases.length === 1 && phrases[0]?.length === 1;
  return phrases.map((phrase) => (isWord ? lexemes(phrase, weight) : countedOnceLexemes(phrase, weight)));
}
