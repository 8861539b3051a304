import type { LexemePhrase, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { Conjunction } from '../retrieval/conjunctive-retrieval.ts';
import type { Parameters } from './parameters.ts';

/** A tsquery in text form that finds any of the phrases of lexemes, word for word. */
export function anyPhraseText(phrases: readonly LexemePhrase[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' <-> ')).join(' | ');
}

/** A tsquery that finds any of the terms. */
export function anyTerm(terms: readonly WeighedTerm[], parameters: Parameters): string {
  return parameters.add(anyLooselyText(terms.flatMap(phrasesOf)), 'tsquery');
}

/** A tsquery in text form that finds what has all terms of any conjunction. */
export function conjunctionsText(conjunctions: readonly Conjunction[]): string {
  /* Each first term once for all that it stands with: an index evaluates the whole query for each row. */
  const byFirst = Map.groupBy(conjunctions, ([first]) => first);
  const all = [...byFirst].flatMap(([first, group]) => {
    const others = group.map((terms) => terms.slice(1).map(termText).join(' & '));
    return first ? `${termText(first)} & (${others.join(' | ')})` : [];
  });
  return all.join(' | ');
}

function termText(term: WeighedTerm): string {
  return `(${anyLooselyText(phrasesOf(term))})`;
}

function phrasesOf(term: WeighedTerm): LexemePhrase[] {
  return term.alternatives.flatMap((alternative) => alternative.phrases);
}

/** Content with the lexemes of a phrase anywhere in a text: then an index answers without reading the row. */
function anyLooselyText(phrases: readonly LexemePhrase[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' & ')).join(' | ');
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
