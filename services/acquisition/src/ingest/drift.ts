import type { Fields } from '../connector/source.ts';

/** Fewer prove nothing about a field that may be absent. */
const ENOUGH_RECORDS = 50;
const MOST_FIELDS = 500;

/** Notices a renamed column before records are mapped wrongly. */
export class DriftWatch {
  readonly #fields: Fields;
  readonly #carried = new Set<string>();
  readonly #missing = new Map<string, number>();
  #records = 0;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  observe(carried: readonly string[]): void {
    this.#records += 1;
    const names = new Set(carried);
    for (const name of names) if (this.#carried.size < MOST_FIELDS) this.#carried.add(name);
    for (const name of this.#fields.required)
      if (!names.has(name)) this.#missing.set(name, (this.#missing.get(name) ?? 0) + 1);
  }

  /** Returns usual fields that no record has. The document must not be mapped then. */
  absent(): string[] {
    if (this.#records < ENOUGH_RECORDS) return [];
    return this.#fields.usual.filter((name) => !this.#carried.has(name));
  }

  missing(): string[] {
    const required = [...this.#missing].filter(([, count]) => count * 2 > this.#records).map(([name]) => name);
    return [...required, ...this.absent()];
  }

  carried(): ReadonlySet<string> {
    return this.#carried;
  }
}
