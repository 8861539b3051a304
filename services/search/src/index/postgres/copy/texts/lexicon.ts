/** What a lexeme takes, in bytes: an entry of a map with its text. */
const LEXEME_BYTES = 120;
/** From so many characters on the engine keeps the text that a part was cut out of as long as the part. */
const SHORTEST_CUT_OUT = 13;

/** Numbers of the lexemes that texts have; one that no text has any more keeps its number. */
export class Lexicon {
  readonly #numbers = new Map<string, number>();

  numberOf(lexeme: string): number | undefined {
    return this.#numbers.get(lexeme);
  }

  add(lexeme: string): number {
    const known = this.#numbers.get(lexeme);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(lexeme.length < SHORTEST_CUT_OUT ? lexeme : Buffer.from(lexeme).toString(), number);
    return number;
  }

  get bytes(): number {
    return this.#numbers.size * LEXEME_BYTES;
  }
}
