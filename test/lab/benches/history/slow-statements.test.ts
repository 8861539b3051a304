import { expect, test } from 'vitest';
import { slowStatements } from './slow-statements.ts';

test('statements are told apart by database and text, those that took most time first', () => {
  const log = [
    '2026-11-22 21:16:40.470 UTC ledger LOG:  duration: 242.5 ms  execute next: select a',
    '\t  from entry',
    '2026-11-22 21:16:41.470 UTC [unknown] LOG:  connection received',
    '2026-11-22 21:16:42.470 UTC operations LOG:  duration: 900.0 ms  statement: select b',
    '2026-11-22 21:16:43.470 UTC ledger LOG:  duration: 300.0 ms  execute other: select a   from entry',
  ].join('\n');
  expect(slowStatements(log)).toEqual([
    { database: 'operations', text: 'select b', times: 1, mostMs: 900, totalMs: 900 },
    { database: 'ledger', text: 'select a from entry', times: 2, mostMs: 300, totalMs: 542.5 },
  ]);
});
