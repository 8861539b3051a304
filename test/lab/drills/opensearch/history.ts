/** An observation contains a word from transaction `from` until `until`, if defined. */
interface Span {
  readonly from: bigint;
  until: bigint | undefined;
}

export interface Judgment {
  readonly missing: readonly bigint[];
  readonly withdrawn: readonly bigint[];
}

export class History {
  readonly #words = new Map<string, Map<bigint, Span>>();
  newest = 0n;

  says(word: string, id: bigint, tx: bigint): void {
    const spans = this.#words.get(word) ?? new Map<bigint, Span>();
    this.#words.set(word, spans.set(id, { from: tx, until: undefined }));
    this.newest = tx;
  }

  saysNoMore(word: string, id: bigint, tx: bigint): void {
    const span = this.#words.get(word)?.get(id);
    if (span) span.until = tx;
    this.newest = tx;
  }

  saying(word: string): bigint[] {
    return [...(this.#words.get(word) ?? [])].flatMap(([id, { until }]) => (until === undefined ? [id] : []));
  }

  /** Compares an answer with what an index at `position`, or somewhat later, must find. */
  judge(word: string, position: bigint, found: ReadonlySet<bigint>): Judgment {
    const spans = [...(this.#words.get(word) ?? [])];
    return {
      missing: spans.flatMap(([id, { from, until }]) =>
        from <= position && until === undefined && !found.has(id) ? [id] : [],
      ),
      withdrawn: spans.flatMap(([id, { until }]) =>
        until !== undefined && until <= position && found.has(id) ? [id] : [],
      ),
    };
  }
}
