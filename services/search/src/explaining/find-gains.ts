import { create } from '@bufbuild/protobuf';
import {
  type Field,
  type Gain,
  GainSchema,
  Likeness,
  type Occurrence,
  OccurrenceSchema,
} from '@ces/proto/ces/search/v1/explanation_pb.ts';
import type { TermGain } from '../ranking/ranking.ts';
import { lexemeOfWord } from '../text/stem.ts';
import { wordsOf } from '../text/words.ts';

export interface FieldText {
  readonly field: Field;
  readonly words: readonly string[];
}

type LexemeOf = (word: string) => string | undefined;

export function findGain(gain: TermGain, texts: readonly FieldText[]): Gain {
  const { term, alternative, value, ofCompany } = gain;
  const occurrences = texts.flatMap((text) =>
    alternative.phrases.flatMap((phrase) =>
      occurrencesOf(phrase, text.words, lexemeOfWord).map((found) =>
        create(OccurrenceSchema, {
          field: text.field,
          likeness: likenessOf(phrase, found, term.words),
          text: found.join(' '),
        }),
      ),
    ),
  );
  return create(GainSchema, { term: term.text, value, ofCompany, occurrences: distinct(occurrences) });
}

/** Finds a quoted phrase word for word. A phrase adds no gain of its own. */
export function findQuoted(phrase: string, texts: readonly FieldText[]): Gain {
  const words = wordsOf(phrase);
  const occurrences = texts
    .filter((text) => occurrencesOf(words, text.words, (word) => word).length > 0)
    .map(({ field }) => create(OccurrenceSchema, { field, likeness: Likeness.QUOTED, text: words.join(' ') }));
  return create(GainSchema, { term: `"${phrase}"`, occurrences: distinct(occurrences) });
}

function occurrencesOf(phrase: readonly string[], words: readonly string[], lexemeOf: LexemeOf): string[][] {
  if (phrase.length === 0) return [];
  return words.flatMap((_, at) =>
    phrase.every((lexeme, offset) => lexemeOf(words[at + offset] ?? '') === lexeme)
      ? [words.slice(at, at + phrase.length)]
      : [],
  );
}

function likenessOf(phrase: readonly string[], found: readonly string[], asked: readonly string[]): Likeness {
  const [word = ''] = found;
  if (phrase.length > 1) return Likeness.PHRASE;
  if (asked.includes(word)) return Likeness.WORD;
  return asked.some((each) => lexemeOfWord(each) === phrase[0]) ? Likeness.STEM : Likeness.SYNONYM;
}

function distinct(occurrences: readonly Occurrence[]): Occurrence[] {
  return [...new Map(occurrences.map((one) => [`${one.field} ${one.likeness} ${one.text}`, one])).values()];
}
