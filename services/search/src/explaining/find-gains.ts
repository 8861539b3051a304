import { create } from '@bufbuild/protobuf';
import {
  type Gain,
  GainSchema,
  Likeness,
  type Occurrence,
  OccurrenceSchema,
} from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { B, K1 } from '../ranking/bm25.ts';
import type { RankedHit, Ranking } from '../ranking/ranking.ts';
import type { ScoredText } from '../ranking/scoring.ts';
import type { Alternative, LexemePhrase, WeighedTerm } from '../ranking/weigh-terms.ts';
import { lexemeOfWord } from '../text/stem.ts';
import { wordsOf } from '../text/words.ts';
import type { DocumentText, FieldText } from './document-text.ts';

/** What the best alternative of a term added to a score. */
export interface TermGain {
  readonly term: WeighedTerm;
  readonly alternative: Alternative;
  readonly ofCompany: boolean;
  readonly value: number;
}

/** The gains of the observation's own text add up to `ownText`, others to `companyContext`. */
export function gainsOf(
  { ownText, companyContext }: RankedHit,
  { scoring }: Pick<Ranking, 'scoring'>,
  own: DocumentText,
  profile: DocumentText,
): TermGain[] {
  return [...gainsIn(own, scoring.own, ownText, false), ...gainsIn(profile, scoring.context, companyContext, true)];
}

function gainsIn(text: DocumentText, { terms, meanLength }: ScoredText, total: number, ofCompany: boolean): TermGain[] {
  const norm = K1 * (1 - B + (B * text.length) / meanLength);
  const gains = terms
    .filter(({ namesKinds }) => !namesKinds.includes(text.kind))
    .flatMap((term) => {
      const all = term.alternatives.map((alternative) => ({
        ...{ term, alternative, ofCompany },
        value: gainOf(alternative, text, norm),
      }));
      return all.reduce((best, one) => (one.value > best.value ? one : best));
    })
    .filter(({ value }) => value > 0);
  /* Engines round, and the text may have changed since it was ranked. */
  const share = total / gains.reduce((sum, { value }) => sum + value, 0);
  return gains.map((gain) => ({ ...gain, value: gain.value * share })).filter(({ value }) => value > 0);
}

/** Only a single word counts by frequency. Phrases and synonyms count once. */
function gainOf({ phrases, weight }: Alternative, { lexemes }: DocumentText, norm: number): number {
  const most = Math.max(...phrases.map((phrase) => placesOf(phrase, lexemes).length));
  const count = phrases.length === 1 && phrases[0]?.length === 1 ? most : Math.min(1, most);
  return count > 0 ? (weight * (K1 + 1)) / (1 + norm / count) : 0;
}

export function describeGain({ term, alternative, value, ofCompany }: TermGain, { fields }: DocumentText): Gain {
  const occurrences = fields.flatMap(({ field, words, lexemes }) =>
    alternative.phrases.flatMap((phrase) =>
      placesOf(phrase, lexemes).map((at) => {
        const found = words.slice(at, at + phrase.length);
        const likeness = likenessOf(phrase, found, term.words);
        return create(OccurrenceSchema, { field, likeness, text: found.join(' ') });
      }),
    ),
  );
  return create(GainSchema, { term: term.text, value, ofCompany, occurrences: distinct(occurrences) });
}

/** Finds a quoted phrase word for word. A phrase adds no gain of its own. */
export function describeQuoted(phrase: string, texts: readonly FieldText[]): Gain {
  const quoted = wordsOf(phrase);
  const occurrences = texts
    .filter(({ words }) => placesOf(quoted, words).length > 0)
    .map(({ field }) => create(OccurrenceSchema, { field, likeness: Likeness.QUOTED, text: quoted.join(' ') }));
  return create(GainSchema, { term: `"${phrase}"`, occurrences: distinct(occurrences) });
}

function placesOf([first, ...others]: LexemePhrase, lexemes: readonly (string | undefined)[]): number[] {
  const places: number[] = [];
  if (first === undefined) return places;
  for (let at = lexemes.indexOf(first); at >= 0; at = lexemes.indexOf(first, at + 1))
    if (others.every((other, behind) => lexemes[at + 1 + behind] === other)) places.push(at);
  return places;
}

function likenessOf(phrase: LexemePhrase, [word = '']: readonly string[], asked: readonly string[]): Likeness {
  if (phrase.length > 1) return Likeness.PHRASE;
  if (asked.includes(word)) return Likeness.WORD;
  return asked.some((each) => lexemeOfWord(each) === phrase[0]) ? Likeness.STEM : Likeness.SYNONYM;
}

function distinct(occurrences: readonly Occurrence[]): Occurrence[] {
  return [...new Map(occurrences.map((one) => [`${one.field} ${one.likeness} ${one.text}`, one])).values()];
}
