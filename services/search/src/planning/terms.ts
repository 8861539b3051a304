import { create } from '@bufbuild/protobuf';
import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type Term, TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { RELATED_WEIGHT, type Vocabulary } from '../vocabulary/load-vocabulary.ts';
import type { Token } from './tokens.ts';

export interface WeightedToken {
  readonly token: Token;
  readonly weight: number;
  /** The word names and supports these kinds. Their observations need not contain it. */
  readonly supportsKinds?: readonly Kind[];
}

/** A repeated word counts once with its highest weight. */
export function termsOf(tokens: readonly WeightedToken[], { related }: Pick<Vocabulary, 'related'>): Term[] {
  const terms = new Map<string, Term>();
  for (const { token, weight, supportsKinds = [] } of tokens) {
    const known = terms.get(token.word);
    if (known) {
      known.weight = Math.max(known.weight, weight);
      known.supportsKinds = known.supportsKinds.filter((kind) => supportsKinds.includes(kind));
      continue;
    }
    const others = related.get([token.word]) ?? [];
    const term = create(TermSchema, {
      words: [token.word],
      weight,
      text: token.text,
      related: others.map((words) => ({ words: [...words], weight: RELATED_WEIGHT })),
      supportsKinds: [...supportsKinds],
    });
    terms.set(token.word, term);
  }
  return [...terms.values()];
}
