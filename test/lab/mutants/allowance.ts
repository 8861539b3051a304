import type { Mutant } from './mutant.ts';

/** Faults of limits and of what a refusal says, which the tests of both sides must see. */
export const ALLOWANCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'allowance: held units do not count',
    file: 'services/ledger/src/allowance/admission.ts',
    change: { expression: 'settled + held + wanted <= limit', becomes: 'settled + wanted <= limit' },
    tests: ['test/allowance/ledger.test.ts'],
  },
  {
    name: 'allowance: what just fits is refused',
    file: 'services/ledger/src/allowance/admission.ts',
    change: { expression: 'settled + held + wanted <= limit', becomes: 'settled + held + wanted < limit' },
    tests: ['test/allowance/ledger.test.ts'],
  },
  {
    name: 'allowance: units leave a second late',
    file: 'services/ledger/src/db/balance-snapshot.ts',
    change: {
      sql: "else c.now - h.seconds * interval '1 second'",
      becomes: "else c.now - (h.seconds + 1) * interval '1 second'",
    },
    tests: ['test/allowance/retry-at.test.ts'],
  },
  {
    name: 'allowance: retry_at is a second late',
    file: 'services/ledger/src/db/entry.ts',
    change: {
      sql: "f.settled_at + s.seconds * interval '1 second' as instant",
      becomes: "f.settled_at + (s.seconds + 1) * interval '1 second' as instant",
    },
    tests: ['test/allowance/retry-at.test.ts'],
  },
];
