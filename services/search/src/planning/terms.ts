import { create } from '@bufbuild/protobuf';
import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type Term, TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { RELATED_WEIGHT, type RelatedPhrase, type Vocabulary } from '../vocabulary/load-vocabulary.ts';
import type { Token } from './tokens.ts';
import { PART_WEIGHT } from './weights.ts';

export interface WeightedToken {
  readonly token: Token;
  readonly weight: number;
  /** The word names and supports these kinds. Their observations need not contain it. */
  readonly supportsKinds?: readonly Kind[];
}

/** A repeated term counts once with its highest weight. A generic word occurs only in phrases. */
export function termsOf(words: readonly string[], tokens: readonly WeightedToken[], vocabulary: Vocabulary): Term[] {
  const terms = new Map<string, Term>();
  const add = (key: string, term: Term) => {
    const known = terms.get(key);
    if (!known) return void terms.set(key, term);
    known.weight = Math.max(known.weight, term.weight);
    known.supportsKinds = known.supportsKinds.filter((kind) => term.supportsKinds.includes(kind));
  };
  const searched = new Set(tokens.map(({ token }) => token.index));
  let phraseEnd = 0;
  for (const { token, weight, supportsKinds = [] } of tokens) {
    const phrase = knownPhrase(words, token.index, searched, vocabulary);
    if (phrase && token.index >= phraseEnd) {
      phraseEnd = token.index + phrase.words.length;
      const within = tokens.filter((one) => one.token.index >= token.index && one.token.index < phraseEnd);
      add(phrase.words.join(' '), phraseTerm(phrase, within));
    }
    const share = token.index < phraseEnd ? PART_WEIGHT : 1;
    add(token.word, wordTerm(token, weight * share, vocabulary.related.get([token.word]) ?? [], supportsKinds));
  }
  return [...terms.values()];
}

interface KnownPhrase {
  readonly words: readonly string[];
  readonly related: readonly RelatedPhrase[];
}

function knownPhrase(
  words: readonly string[],
  start: number,
  searched: ReadonlySet<number>,
  vocabulary: Vocabulary,
): KnownPhrase | undefined {
  const related = vocabulary.related.longestAt(words, start);
  const technology = vocabulary.technologies.longestAt(words, start);
  const length = Math.max(related?.length ?? 0, technology?.length ?? 0);
  if (length < 2) return undefined;
  for (let index = start; index < start + length; index += 1)
    if (!searched.has(index) && !vocabulary.generic.has(words[index] ?? '')) return undefined;
  return { words: words.slice(start, start + length), related: related?.length === length ? related.value : [] };
}

/** A phrase supports only the kinds that all its words support. */
function phraseTerm({ words, related }: KnownPhrase, within: readonly WeightedToken[]): Term {
  const [first, ...others] = within;
  return create(TermSchema, {
    words: [],
    weight: Math.max(...within.map((one) => one.weight)),
    supportsKinds:
      first?.supportsKinds?.filter((kind) => others.every((one) => one.supportsKinds?.includes(kind))) ?? [],
    text: words.join(' '),
    related: [{ words, weight: RELATED_WEIGHT }, ...related].map(relatedMessage),
  });
}

function wordTerm(
  token: Token,
  weight: number,
  related: readonly RelatedPhrase[],
  supportsKinds: readonly Kind[],
): Term {
  return create(TermSchema, {
    words: [token.word],
    weight,
    text: token.text,
    related: related.map(relatedMessage),
    supportsKinds: [...supportsKinds],
  });
}

function relatedMessage({ words, weight }: RelatedPhrase) {
  return { words: [...words], weight };
}
