import { B, K1 } from '../../../ranking/bm25.ts';
import type { ScoredText } from '../../../ranking/scoring.ts';
import type { Alternative, LexemePhrase, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { KINDS_END, kindIn } from './observation-code.ts';
import type { Places } from './scratch.ts';
import { FREQUENCY, LESS_RANK } from './term-frequency.ts';
import type { Run, SearchedTexts } from './texts.ts';

/** Documents that are scored, each at a place of its own. */
export interface ScoredDocuments {
  /** Their numbers. */
  readonly documents: readonly number[];
  readonly places: Places;
  /** Words of the document of a number. */
  readonly lengths: Int32Array;
  /** Code of the observation of a number; undefined where words are good for all. */
  readonly codes: Uint16Array | undefined;
}

/** What a text has gained so far at each place, and what its length takes of a gain. */
interface Gained {
  readonly norms: Float64Array;
  readonly gains: Float64Array;
}

/** BM25 of each document, at its place less 1, as `scoreSql` computes it to the last bit. */
export function scoreTexts(
  texts: SearchedTexts,
  { terms, meanLength }: ScoredText,
  scored: ScoredDocuments,
): Float64Array {
  const { documents, lengths } = scored;
  const total = new Float64Array(documents.length);
  if (terms.length === 0 || total.length === 0) return total;
  const norms = new Float64Array(documents.length);
  for (let place = 0; place < norms.length; place += 1)
    norms[place] = K1 * (1 - B + (B * (lengths[documents[place] ?? 0] ?? 0)) / meanLength);
  let best: Float64Array | undefined;
  for (const term of terms) {
    const [only] = term.alternatives;
    /* One word by itself gives each document one gain, of which no best has to be found. */
    if (only && term.alternatives.length === 1 && wordOf(only) !== undefined) {
      scoreAlternative(texts, term, only, scored, { norms, gains: total }, 'add');
      continue;
    }
    best = (best ?? new Float64Array(total.length)).fill(0);
    for (const alternative of term.alternatives)
      scoreAlternative(texts, term, alternative, scored, { norms, gains: best }, 'raise');
    for (let place = 0; place < total.length; place += 1) total[place] = (total[place] ?? 0) + (best[place] ?? 0);
  }
  return total;
}

/** The lexeme of an alternative that is one word; undefined for any other. */
function wordOf({ phrases: [first, ...others] }: Alternative): string | undefined {
  return others.length === 0 && first?.length === 1 ? first[0] : undefined;
}

/** Adds what an alternative gives to gains, or raises them to it. */
function scoreAlternative(
  texts: SearchedTexts,
  { namesKinds }: WeighedTerm,
  alternative: Alternative,
  { places, codes }: ScoredDocuments,
  { norms, gains }: Gained,
  how: 'add' | 'raise',
): void {
  const full = alternative.weight * (K1 + 1);
  const { values, base } = places;
  const silent = codes && namesKinds.length > 0 ? kindTable(namesKinds) : undefined;
  const isSilent = (document: number) => silent?.[kindIn(codes?.[document] ?? 0)] === 1;
  const lexeme = wordOf(alternative);
  if (lexeme !== undefined) {
    for (const { first, documents, counts, from, to } of texts.postingsOf(lexeme))
      for (let at = from; at < to; at += 1) {
        const document = first + (documents[at] ?? 0);
        const place = (values[document] ?? 0) - base - 1;
        if (place < 0 || (silent && isSilent(document))) continue;
        const count = (counts[at] ?? 0) + 1;
        const gain = full / (1 + ((norms[place] ?? 0) * (LESS_RANK[count] ?? 0)) / (FREQUENCY[count] ?? 1));
        if (gain <= 0) continue;
        const gained = gains[place] ?? 0;
        if (how === 'add') gains[place] = gained + gain;
        else if (gain > gained) gains[place] = gain;
      }
    return;
  }
  for (const phrase of alternative.phrases)
    for (const { first, documents, from, to } of runsOfPhrase(texts, phrase))
      for (let at = from; at < to; at += 1) {
        const document = first + (documents[at] ?? 0);
        const place = (values[document] ?? 0) - base - 1;
        if (place < 0 || isSilent(document)) continue;
        const gain = full / (1 + (norms[place] ?? 0));
        if (gain > (gains[place] ?? 0)) gains[place] = gain;
      }
}

function runsOfPhrase(texts: SearchedTexts, lexemes: LexemePhrase): readonly Run[] {
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
