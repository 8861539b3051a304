export type Corpus = 'observation' | 'company';

export const CORPORA: readonly Corpus[] = ['observation', 'company'];

export function indexName(prefix: string, corpus: Corpus, generation: number): string {
  return `${prefix}${corpus}-${generation}`;
}

/** A write alias is deleted with its index, so that no write recreates the index. */
export function writeAlias(prefix: string, corpus: Corpus, generation: number): string {
  return `${indexName(prefix, corpus, generation)}-write`;
}

/** Only an index that has vectors has this alias. */
export function vectorAlias(prefix: string, generation: number): string {
  return `${indexName(prefix, 'observation', generation)}-vectors`;
}

export function readAlias(prefix: string, corpus: Corpus): string {
  return `${prefix}${corpus}`;
}

export function indexPattern(prefix: string, corpus: Corpus): string {
  return `${prefix}${corpus}-*`;
}

export function generationOf(prefix: string, corpus: Corpus, index: string): number | undefined {
  const stem = `${prefix}${corpus}-`;
  const number = index.startsWith(stem) ? index.slice(stem.length) : '';
  return /^[1-9]\d{0,9}$/.test(number) ? Number(number) : undefined;
}
