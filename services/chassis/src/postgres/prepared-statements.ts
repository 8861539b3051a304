import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Statements that a connection keeps prepared at most: texts of ours are few; what is put together at run time is not kept. */
const KEPT = 300;

/**
 * Has every statement with parameters parsed and planned once a connection instead of once a call. Only for pools whose
 * statements are fixed texts that one plan serves whatever the parameters are.
 */
export function prepareStatements(pool: pg.Pool): void {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= KEPT) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
  pool.on('connect', (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    const prepared = (...args: unknown[]) => {
      const [text, values, ...rest] = args;
      if (typeof text !== 'string' || !Array.isArray(values)) return query(...args);
      return query({ name: nameOf(text), text, values }, ...rest);
    };
    client.query = prepared as typeof client.query;
  });
}
