const LEXEME_BYTES = 120;
/** From this length on, V8 keeps a substring's whole parent string alive. */
const SHORTEST_CUT_OUT = 13;

/** Numbers lexemes and words from 1 on. A number is never released. */
export class Lexicon {
  readonly #numbers = new Map<string, number>();

  numberOf(lexeme: string): number | undefined {
    return this.#numbers.get(lexeme);
  }

  add(lexeme: string): number {
    const known = this.#numbers.get(lexeme);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(lexeme.length < SHORTEST_CUT_OUT ? lexeme : Buffer.from(lexeme).toString(), number);
    return number;
  }

  /** Returns all words in the order of their numbers. */
  words(): string[] {
    return [...this.#numbers.keys()];
  }

  get bytes(): number {
    return this.#numbers.size * LEXEME_BYTES;
  }
}
