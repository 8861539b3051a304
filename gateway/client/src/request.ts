/** A call of the interface. */
export interface CesRequest {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  /** JSON, written once: every attempt sends the same. */
  readonly body?: string;
  readonly requestKey?: string;
  /** The call needs no API key, and gets none. */
  readonly isPublic?: true;
}

type QueryValue = string | number | Date | undefined | readonly (string | number)[];

/** `path` with the parameters that are there; lists as `name[]`. */
export function withQuery(path: string, parameters: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one));
    else query.append(name, asText(value as string | number | Date));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** An instant as the interface takes it. */
export function asText(value: string | number | Date): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** `/api/usages/7` of `/api/usages` and 7. */
export function withId(path: string, id: number): string {
  return `${path}/${encodeURIComponent(String(id))}`;
}
