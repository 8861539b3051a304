import type { Pool, Queryable } from '@ces/chassis/postgres/pool';

type Asked = string | { readonly text: string; readonly values?: readonly unknown[] };

/**
 * Counts the pages that a function's statements read, cached or not, as planned on this pool. Each
 * statement returns no rows to the function.
 */
export async function pagesOf(pool: Pool, statements: (db: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const explaining = {
    query: async (asked: Asked, given: readonly unknown[] = []) => {
      const { text, values = given } = typeof asked === 'string' ? { text: asked } : asked;
      const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return { rows: [], rowCount: 0 };
    },
  };
  await statements(explaining as unknown as Queryable);
  return pages;
}
