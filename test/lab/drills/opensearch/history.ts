/** When an observation says a word, in transactions of the record: from the first on, until the second if it does so no more. */
interface Span {
  readonly from: bigint;
  until: bigint | undefined;
}

/** What an answer lacks or should not have. */
export interface Judgment {
  readonly missing: readonly bigint[];
  /** Withdrawn, or of an earlier version, by the position of the answer. */
  readonly withdrawn: readonly bigint[];
}

/** All that was written, by the word that an observation says. */
export class History {
  readonly #words = new Map<string, Map<bigint, Span>>();
  /** The newest transaction. */
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

  /** Observations that say a word as the record is now. */
  saying(word: string): bigint[] {
    return [...(this.#words.get(word) ?? [])].flatMap(([id, { until }]) => (until === undefined ? [id] : []));
  }

  /** Compares an answer with what an index that stands at `position`, or somewhat further, has to find. */
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
