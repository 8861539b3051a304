type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export class SchemaComponents {
  readonly #schemas = new Map<string, { readonly source: string; readonly schema: Json }>();

  refer(schema: object): JsonObject {
    return this.#refer(JSON.parse(JSON.stringify(schema))) as JsonObject;
  }

  all(): JsonObject {
    const sorted = [...this.#schemas].sort(([a], [b]) => a.localeCompare(b));
    return Object.fromEntries(sorted.map(([title, { schema }]) => [title, schema]));
  }

  #refer(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#refer(item));
    if (value === null || typeof value !== 'object') return value;
    const { title, ...members } = value as { readonly [key: string]: Json };
    const referred = Object.fromEntries(Object.entries(members).map(([key, member]) => [key, this.#refer(member)]));
    if (typeof title !== 'string') return title === undefined ? referred : { title: this.#refer(title), ...referred };
    this.#add(title, JSON.stringify(value), referred);
    return { $ref: `#/components/schemas/${title}` };
  }

  #add(title: string, source: string, schema: Json): void {
    const known = this.#schemas.get(title);
    if (known && known.source !== source) throw new Error(`two schemas are named ${title}`);
    this.#schemas.set(title, { source, schema });
  }
}
