export interface CesRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON, serialised once so that every attempt sends the same bytes. */
  readonly body?: string;
  readonly requestKey?: string;
  readonly isPublic?: true;
}

type QueryValue = string | number | Date | undefined | readonly (string | number)[];

export function withQuery(path: string, parameters: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one));
    else query.append(name, asText(value as string | number | Date));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

export function asText(value: string | number | Date): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

export function withId(path: string, id: number): string {
  return `${path}/${encodeURIComponent(String(id))}`;
}
