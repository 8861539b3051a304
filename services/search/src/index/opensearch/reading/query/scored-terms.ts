import type { Alternative, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { terms as anyTerm, noneOf, type Query } from './query.ts';
import { lexemes, lexemesOnce } from './texts.ts';

/** What a term gives an observation or a company: the most of what its alternatives give. */
export function scoredTerm(term: WeighedTerm, nameOf?: (alternative: Alternative) => string): Query {
  const isElse = term.namesKinds.length > 0 ? [noneOf([anyTerm('kind', term.namesKinds.map(String))])] : [];
  const queries = term.alternatives.flatMap((alternative) => {
    const scored = scoredAlternative(alternative);
    if (!nameOf) return scored;
    /* A name is told of whatever it is given to, even inside of what does not match. */
    return [{ bool: { must: [{ dis_max: { queries: scored } }], filter: isElse, _name: nameOf(alternative) } }];
  });
  const best: Query = { dis_max: { queries } };
  return isElse.length > 0 ? { bool: { must: [best], filter: isElse } } : best;
}

/** One word counts as often as it is there; a phrase, and several words of one meaning together, once. */
function scoredAlternative({ phrases, weight }: Alternative): Query[] {
  const isWord = phrases.length === 1 && phrases[0]?.length === 1;
  return phrases.map((phrase) => (isWord ? lexemes(phrase, weight) : lexemesOnce(phrase, weight)));
}
