/** Collects the values of a statement. Only `$n` placeholders enter its text. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
