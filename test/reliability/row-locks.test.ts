import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const SERVICES = path.resolve(import.meta.dirname, '../../services');
/** A row lock in a CTE or subquery. */
const LOCK_INSIDE = /\bfor (?:no key )?(?:update|share)\b[^()`']*\)/i;

/** Statements that lock rows in a CTE or subquery, and why no run-time pruning follows. */
const HARMLESS = {
  'ledger/src/db/call-limit.ts': 'reads call limits alone',
  'ledger/src/db/credential-pepper.ts': 'reads credentials alone',
  'ledger/src/db/credential.ts': 'reads credentials alone',
  'ledger/src/db/subscription.ts': 'reads subscriptions alone',
  'lookup/src/db/commit-order.ts': 'reads the newest of every partition',
  'operations/src/db/job.ts':
    'beside operations that are named by a parameter: their partitions are chosen before it runs',
  'operations/src/db/outbox.ts': 'reads jobs alone',
};

/**
 * Postgres 18 up to 18.4 crashes when a statement locks changed rows and then prunes partitions at
 * run time (decision 0038).
 */
test('no statement that may prune partitions locks rows on its way', async () => {
  const found: string[] = [];
  let read = 0;
  for await (const file of glob('*/src/**/*.ts', { cwd: SERVICES }))
    if (!file.endsWith('.test.ts')) {
      read += 1;
      if (LOCK_INSIDE.test(await readFile(path.join(SERVICES, file), 'utf8'))) found.push(file);
    }
  expect(read).toBeGreaterThan(100);
  expect(found.toSorted()).toEqual(Object.keys(HARMLESS));
});
