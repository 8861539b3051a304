import { B, K1 } from '../../../../ranking/bm25.ts';
import type { ScoredText } from '../../../../ranking/scoring.ts';
import type { Alternative, LexemePhrase, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { KINDS_END, kindIn } from '../documents/observation-code.ts';
import type { InvertedIndexView, Run } from '../inverted-index/inverted-index.ts';
import type { BufferPool, Slots } from './buffer-pool.ts';
import { ScoredDocuments } from './scored-documents.ts';

export interface Documents {
  readonly documents: Int32Array;
  readonly slots: Slots;
  readonly lengths: Int32Array;
  readonly codes: Uint16Array | undefined;
}

/** `norms`: BM25 length norms. `codes`: kinds that gain nothing from a term. */
interface Weighed {
  readonly scored: ScoredDocuments;
  readonly norms: Float64Array;
  readonly codes: Uint16Array | undefined;
}

export function scoreTexts(
  texts: InvertedIndexView,
  { terms, meanLength }: ScoredText,
  of: Documents,
  buffers: BufferPool,
): Float64Array {
  const { documents } = of;
  const total = buffers.floats(documents.length).fill(0);
  if (terms.length === 0 || total.length === 0) return total;
  const weighed = weighedOf(meanLength, of, buffers);
  const best = buffers.floats(documents.length);
  for (const term of terms) {
    best.fill(0);
    for (const alternative of term.alternatives) raiseTo(best, texts, term, alternative, weighed);
    for (let slot = 0; slot < total.length; slot += 1) total[slot] = (total[slot] ?? 0) + (best[slot] ?? 0);
  }
  return total;
}

function weighedOf(meanLength: number, { documents, slots, lengths, codes }: Documents, buffers: BufferPool): Weighed {
  const norms = buffers.floats(documents.length);
  for (let slot = 0; slot < norms.length; slot += 1)
    norms[slot] = K1 * (1 - B + (B * (lengths[documents[slot] ?? 0] ?? 0)) / meanLength);
  return { scored: new ScoredDocuments(documents, slots, buffers), norms, codes };
}

function raiseTo(
  gains: Float64Array,
  texts: InvertedIndexView,
  { namesKinds }: WeighedTerm,
  { phrases, weight }: Alternative,
  { scored, norms, codes }: Weighed,
): void {
  const full = weight * (K1 + 1);
  const { matched, counts, documents } = scored;
  const silent = codes && namesKinds.length > 0 ? kindTable(namesKinds) : undefined;
  const isSilent = (slot: number) => silent?.[kindIn(codes?.[documents[slot] ?? 0] ?? 0)] === 1;
  const isWord = phrases.length === 1 && phrases[0]?.length === 1;
  for (const phrase of phrases) {
    const found = scored.match(runsOfPhrase(texts, phrase));
    for (let at = 0; at < found; at += 1) {
      const slot = matched[at] ?? 0;
      if (silent && isSilent(slot)) continue;
      /* A phrase counts as present or absent. */
      const count = isWord ? (counts[at] ?? 0) + 1 : 1;
      const gain = full / (1 + (norms[slot] ?? 0) / count);
      if (gain > (gains[slot] ?? 0)) gains[slot] = gain;
    }
  }
}

function runsOfPhrase(texts: InvertedIndexView, lexemes: LexemePhrase): readonly Run[] {
  const [first = ''] = lexemes;
  return lexemes.length > 1
    ? texts.documentsOf({ lexemes, offsets: [...lexemes.keys()] }, true)
    : texts.postingsOf(first);
}

function kindTable(kinds: readonly number[]): Uint8Array {
  const table = new Uint8Array(KINDS_END + 1);
  for (const kind of kinds) table[kind] = 1;
  return table;
}
