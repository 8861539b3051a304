import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestStack } from './stack.ts';

export async function untilVectors(stack: TestStack, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databases.search.url });
  await client.connect();
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await client.query('select count(*)::integer as made from observation_vector');
        expect(rows).toEqual([{ made: count }]);
      },
      { timeout: 60_000, interval: 50 },
    );
  } finally {
    await client.end();
  }
}
