import { B, K1 } from '../../../ranking/bm25.ts';
import type { ScoredText } from '../../../ranking/scoring.ts';
import type { Alternative, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { frequencyOf, rankOf } from './term-frequency.ts';
import type { Texts } from './texts.ts';

/** Documents that are scored, each at a place of its own. */
export interface ScoredDocuments {
  /** Their numbers. */
  readonly documents: readonly number[];
  /** The place of a number, from 1; anything lower for one that is not scored. */
  readonly placeOf: Int32Array;
  /** Words of the document of a number. */
  readonly lengths: Int32Array;
  /** Kind of the document of a number; undefined where words are good for all. */
  readonly kinds: Int16Array | undefined;
}

/** BM25 of each document, at its place less 1, as `scoreSql` computes it to the last bit. */
export function scoreTexts(texts: Texts, { terms, meanLength }: ScoredText, scored: ScoredDocuments): Float64Array {
  const total = new Float64Array(scored.documents.length);
  if (terms.length === 0 || total.length === 0) return total;
  const norms = new Float64Array(scored.documents.length);
  for (const [place, document] of scored.documents.entries())
    norms[place] = K1 * (1 - B + (B * (scored.lengths[document] ?? 0)) / meanLength);
  const best = new Float64Array(total.length);
  for (const term of terms) {
    best.fill(0);
    for (const alternative of term.alternatives) scoreAlternative(texts, term, alternative, scored, norms, best);
    for (let place = 0; place < total.length; place += 1) total[place] = (total[place] ?? 0) + (best[place] ?? 0);
  }
  return total;
}

/** Raises `best` to what an alternative gives. */
function scoreAlternative(
  texts: Texts,
  term: WeighedTerm,
  { phrases, weight }: Alternative,
  scored: ScoredDocuments,
  norms: Float64Array,
  best: Float64Array,
): void {
  const full = weight * (K1 + 1);
  const [first] = phrases;
  if (phrases.length > 1 || first?.length !== 1) {
    for (const phrase of phrases) scorePhrase(texts, term, phrase, full, scored, norms, best);
    return;
  }
  const { placeOf, kinds } = scored;
  const silent = kinds && term.namesKinds.length > 0 ? new Set<number>(term.namesKinds) : undefined;
  for (const { first: numbered, documents, counts } of texts.postingsOf(first[0] ?? '')) {
    for (let at = 0; at < documents.length; at += 1) {
      const document = numbered + (documents[at] ?? 0);
      const place = (placeOf[document] ?? 0) - 1;
      if (place < 0 || silent?.has(kinds?.[document] ?? 0)) continue;
      const count = (counts[at] ?? 0) + 1;
      const gain = full / (1 + ((norms[place] ?? 0) * (1 - rankOf(count))) / frequencyOf(count));
      if (gain > (best[place] ?? 0)) best[place] = gain;
    }
  }
}

function scorePhrase(
  texts: Texts,
  { namesKinds }: WeighedTerm,
  lexemes: readonly string[],
  full: number,
  { placeOf, kinds }: ScoredDocuments,
  norms: Float64Array,
  best: Float64Array,
): void {
  const silent = kinds && namesKinds.length > 0 ? new Set<number>(namesKinds) : undefined;
  for (const document of texts.documentsOf({ lexemes, offsets: [...lexemes.keys()] }, true)) {
    const place = (placeOf[document] ?? 0) - 1;
    if (place < 0 || silent?.has(kinds?.[document] ?? 0)) continue;
    const gain = full / (1 + (norms[place] ?? 0));
    if (gain > (best[place] ?? 0)) best[place] = gain;
  }
}
