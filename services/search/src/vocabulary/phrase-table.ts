export interface PhraseMatch<T> {
  readonly length: number;
  readonly value: T;
}

/** Finds the longest known phrase at a word. */
export class PhraseTable<T> {
  readonly #normal: (word: string) => string;
  readonly #values = new Map<string, T>();
  readonly #longest = new Map<string, number>();

  /** Singular and plural forms are equal, unless `isExact`: "billing" is not the city Billings. */
  constructor({ isExact = false } = {}) {
    this.#normal = isExact ? (word) => word : singular;
  }

  set(words: readonly string[], value: T): void {
    this.#values.set(this.#normalForm(words), value);
    const first = this.#normal(words[0] ?? '');
    this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, words.length));
  }

  get(words: readonly string[]): T | undefined {
    return this.#values.get(this.#normalForm(words));
  }

  longestAt(
    words: readonly string[],
    start: number,
    isWanted: (value: T) => boolean = () => true,
  ): PhraseMatch<T> | undefined {
    const longest = this.#longest.get(this.#normal(words[start] ?? '')) ?? 0;
    for (let length = Math.min(longest, words.length - start); length > 0; length -= 1) {
      const value = this.get(words.slice(start, start + length));
      if (value !== undefined && isWanted(value)) return { length, value };
    }
    return undefined;
  }

  #normalForm(words: readonly string[]): string {
    return words.map(this.#normal).join(' ');
  }
}

/** Need not be grammatical: both forms of a noun only need the same normal form. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
