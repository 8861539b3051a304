import type { ClientBase } from 'pg';

const LONG_MS = 3_600_000;

const allowed = new WeakMap<object, number>();

/** An hour in this transaction; else `Connections` treats the connection as dead. */
export async function allowLongStatements(client: Pick<ClientBase, 'query'>): Promise<void> {
  await client.query(`set local statement_timeout = ${LONG_MS}`);
  allowed.set(client, LONG_MS);
}

/** Undefined: the pool's bound applies. */
export function longestStatementMs(client: ClientBase): number | undefined {
  return allowed.get(client);
}

export function clearStatementBound(client: ClientBase): void {
  allowed.delete(client);
}
