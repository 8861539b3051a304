import pg from 'pg';
import type { TestStack } from './stack.ts';

/** Moves all timestamps of an operation back by `interval`, as if that time had passed. */
export async function letTimePass(stack: TestStack, operationId: number, interval: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databases.operations.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ column_name: string }>(
      `select column_name from information_schema.columns
       where table_name = 'operation' and data_type = 'timestamp with time zone'`,
    );
    const moves = rows.map(({ column_name: name }) => `${name} = ${name} - $2::interval`);
    await client.query(`update operation set ${moves.join(', ')} where id = $1`, [operationId, interval]);
  } finally {
    await client.end();
  }
}
