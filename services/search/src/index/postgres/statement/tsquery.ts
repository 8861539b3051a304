import type { LexemePhrase, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { Conjunction } from '../retrieval/conjunctive-retrieval.ts';
import type { Parameters } from './parameters.ts';

export function anyPhraseText(phrases: readonly LexemePhrase[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' <-> ')).join(' | ');
}

export function anyTerm(terms: readonly WeighedTerm[], parameters: Parameters): string {
  return parameters.add(anyLooselyText(terms.flatMap(phrasesOf)), 'tsquery');
}

export function conjunctionsText(conjunctions: readonly Conjunction[]): string {
  /* Factors out each first term, because the index evaluates the whole query for each row. */
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

/**
 * Ignores the distance of a phrase's lexemes, so that the index answers without reading the row.
 */
function anyLooselyText(phrases: readonly LexemePhrase[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' & ')).join(' | ');
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
