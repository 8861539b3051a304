import type { ClientBase } from 'pg';

/** Bound on a statement of maintenance, in milliseconds. */
const LONG_MS = 3_600_000;

const allowed = new WeakMap<object, number>();

/**
 * Inside a transaction: its statements from here on may take an hour each, for the server and for what gives up silent
 * connections. Without it a connection is taken for dead when a statement takes longer than its pool allows.
 */
export async function allowLongStatements(client: Pick<ClientBase, 'query'>): Promise<void> {
  await client.query(`set local statement_timeout = ${LONG_MS}`);
  allowed.set(client, LONG_MS);
}

/** What statements of this connection may take, in milliseconds; undefined: what its pool says. */
export function longestStatementMs(client: ClientBase): number | undefined {
  return allowed.get(client);
}

/** The transaction is over. */
export function forgetLongStatements(client: ClientBase): void {
  allowed.delete(client);
}
