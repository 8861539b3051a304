import { create } from '@bufbuild/protobuf';
import { type Term, TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { Token } from './tokens.ts';

/** A word that will be searched for and how much it weighs. */
export interface WeightedToken {
  readonly token: Token;
  readonly weight: number;
}

/** Terms of the given words; a word that stands twice counts once, with its highest weight. */
export function termsOf(words: readonly string[], tokens: readonly WeightedToken[], vocabulary: Vocabulary): Term[] {
  const terms = new Map<string, Term>();
  let before: Token | undefined;
  for (const { token, weight } of tokens) {
    const known = terms.get(token.word);
    if (known) known.weight = Math.max(known.weight, weight);
    else
      terms.set(
        token.word,
        create(TermSchema, {
          words: [token.word],
          weight,
          text: token.text,
          follows: before?.index === token.index - 1,
          related: relatedAt(words, token.index, vocabulary),
        }),
      );
    before = token;
  }
  return [...terms.values()];
}

function relatedAt(words: readonly string[], index: number, vocabulary: Vocabulary) {
  const single = vocabulary.related.get(words.slice(index, index + 1)) ?? [];
  const longest = vocabulary.related.longestAt(words, index);
  const all = longest && longest.length > 1 ? [...longest.value, ...single] : single;
  return all.map(({ words: related, weight }) => ({ words: [...related], weight }));
}
