import type { Alternative, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { terms as anyTerm, noneOf, type Query } from './query.ts';
import { lexemes, lexemesOnce } from './texts.ts';

/** What a term gives an observation or a company: the most of what its alternatives give. */
export function scoredTerm(term: WeighedTerm, nameOf?: (alternative: Alternative) => string): Query {
  const queries = term.alternatives.flatMap((alternative) => scoredAlternative(alternative, nameOf?.(alternative)));
  const best: Query = { dis_max: { queries } };
  if (term.namesKinds.length === 0) return best;
  return { bool: { must: [best], filter: [noneOf([anyTerm('kind', term.namesKinds.map(String))])] } };
}

/** One word counts as often as it is there; a phrase, and several words of one meaning together, once. */
function scoredAlternative({ phrases, weight }: Alternative, name: string | undefined): Query[] {
  const isWord = phrases.length === 1 && phrases[0]?.length === 1;
  const queries = phrases.map((phrase) => (isWord ? lexemes(phrase, weight) : lexemesOnce(phrase, weight)));
  return name === undefined ? queries : [{ dis_max: { queries, _name: name } }];
}
