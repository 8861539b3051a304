/** What begins at a place of a word list, and how many words it takes. */
export interface PhraseMatch<T> {
  readonly length: number;
  readonly value: T;
}

/** Finds the longest known phrase that begins at a word. */
export class PhraseTable<T> {
  readonly #values = new Map<string, T>();
  #longest = 0;

  /** Adds a phrase; the last value of a phrase counts. */
  set(words: readonly string[], value: T): void {
    this.#values.set(words.join(' '), value);
    this.#longest = Math.max(this.#longest, words.length);
  }

  get(words: readonly string[]): T | undefined {
    return this.#values.get(words.join(' '));
  }

  longestAt(words: readonly string[], start: number): PhraseMatch<T> | undefined {
    for (let length = Math.min(this.#longest, words.length - start); length > 0; length -= 1) {
      const value = this.#values.get(words.slice(start, start + length).join(' '));
      if (value !== undefined) return { length, value };
    }
    return undefined;
  }
}
