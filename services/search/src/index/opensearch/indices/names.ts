/** What an index holds documents of. */
export type Corpus = 'observation' | 'company';

export const CORPORA: readonly Corpus[] = ['observation', 'company'];

/** The index of a generation. */
export function indexName(prefix: string, corpus: Corpus, generation: number): string {
  return `${prefix}${corpus}-${generation}`;
}

/** The alias that a generation is written through. It goes with its index, so that nothing is written to one that is gone. */
export function writeAlias(prefix: string, corpus: Corpus, generation: number): string {
  return `${indexName(prefix, corpus, generation)}-write`;
}

/** The alias that is searched; it names the generation that is served. */
export function readAlias(prefix: string, corpus: Corpus): string {
  return `${prefix}${corpus}`;
}

/** The index that holds the stamp, for all generations (`state/stamp.ts`). */
export function stampIndexName(prefix: string): string {
  return `${prefix}stamps`;
}

/** A pattern that it fits. */
export function stampPattern(prefix: string): string {
  return `${stampIndexName(prefix)}*`;
}

/** The alias that it is written and searched by; another number whenever nodes may not know what has become of copies. */
export function stampAlias(prefix: string, number: number): string {
  return `${stampIndexName(prefix)}-${number}`;
}

/** The number of an alias of the stamp; undefined for another one. */
export function stampNumberOf(prefix: string, alias: string): number | undefined {
  return numberAfter(`${stampIndexName(prefix)}-`, alias);
}

/** A pattern of the indices of all generations; others may fit it too. */
export function indexPattern(prefix: string, corpus: Corpus): string {
  return `${prefix}${corpus}-*`;
}

/** The generation that an index is of; undefined for one that is not of this corpus. */
export function generationOf(prefix: string, corpus: Corpus, index: string): number | undefined {
  return numberAfter(`${prefix}${corpus}-`, index);
}

function numberAfter(stem: string, index: string): number | undefined {
  const number = index.startsWith(stem) ? index.slice(stem.length) : '';
  return /^[1-9]\d{0,9}$/.test(number) ? Number(number) : undefined;
}
