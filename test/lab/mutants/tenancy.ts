import type { Mutant } from './mutant.ts';

/** The account taken away from every place that names it, one place at a time. */
const FAULTS: readonly (Omit<Mutant, 'tests'> & { readonly seenBy: 'interface' | 'rows' | 'limits' })[] = [
  {
    name: 'tenancy: an operation is found by id alone',
    seenBy: 'interface',
    file: 'services/operations/src/db/operation.ts',
    change: {
      sql: 'where k.operation_id = $2 and k.account_id = $1',
      becomes: 'where k.operation_id = $2 and $1::bigint > 0',
    },
  },
  {
    name: 'tenancy: an operation is found by idempotency key alone',
    seenBy: 'interface',
    file: 'services/operations/src/db/operation.ts',
    change: { sql: 'on k.account_id = $1 and k.action = $2', becomes: 'on $1::bigint > 0 and k.action = $2' },
  },
  {
    name: 'tenancy: a shortlist is found by id alone',
    seenBy: 'rows',
    file: 'services/operations/src/db/shortlist.ts',
    change: {
      sql: 'from shortlist where operation_id = $2 and account_id = $1',
      becomes: 'from shortlist where operation_id = $2 and $1::bigint > 0',
    },
  },
  {
    name: 'tenancy: the first positions of a shortlist are found by id alone',
    seenBy: 'rows',
    file: 'services/operations/src/db/shortlist.ts',
    change: {
      sql: 'where operation_id = $2 and account_id = $1 and',
      becomes: 'where operation_id = $2 and $1::bigint > 0 and',
    },
  },
  {
    name: 'tenancy: operations of every account are listed',
    seenBy: 'interface',
    file: 'services/operations/src/db/operation-record.ts',
    change: { sql: 'o.account_id = ', becomes: '0 < ' },
  },
  {
    name: "tenancy: an account's own list is everybody's",
    seenBy: 'interface',
    file: 'services/operations/src/db/listed-operation.ts',
    change: {
      sql: 'where o.account_id = $1 and o.action = wanted.action',
      becomes: 'where $1::bigint > 0 and o.action = wanted.action',
    },
  },
  {
    name: 'tenancy: a cursor is signed for no account',
    seenBy: 'interface',
    file: 'services/operations/src/cursor/cursor.ts',
    change: { expression: '$binding.accountId', becomes: '0' },
  },
  {
    name: "tenancy: anybody's subscription pays",
    seenBy: 'rows',
    file: 'services/ledger/src/allowance/posting.ts',
    change: { expression: '$facts.accountId !== $accountId || $inactive', becomes: '$inactive' },
  },
  {
    name: "tenancy: units are taken under anybody's credential",
    seenBy: 'rows',
    file: 'services/ledger/src/db/stored-balance.ts',
    change: { sql: 'and c.account_id = s.account_id and c.revoked_at', becomes: 'and c.revoked_at' },
  },
  {
    name: 'tenancy: credentials of every account are listed',
    seenBy: 'interface',
    file: 'services/ledger/src/db/credential.ts',
    change: { sql: 'or account_id = $1', becomes: 'or $1::bigint > 0' },
  },
  {
    name: "tenancy: a credential comes with anybody's subscription",
    seenBy: 'interface',
    file: 'services/ledger/src/db/identity.ts',
    change: {
      sql: 'left join subscription s on s.account_id = c.account_id',
      becomes: 'left join (select * from subscription order by id limit 1) s on true',
    },
  },
  {
    name: 'tenancy: all credentials share one cached answer',
    seenBy: 'interface',
    file: 'gateway/src/admission/authenticate.ts',
    change: { expression: '$pepper + bearer', becomes: '$pepper' },
  },
  {
    name: 'tenancy: polls are counted by operation alone',
    seenBy: 'limits',
    file: 'gateway/src/admission/call-limits.ts',
    change: {
      expression: 'this.#polls.take($counted, $rate)',
      becomes: 'this.#polls.take(String(operationId), $rate)',
    },
  },
  {
    name: 'tenancy: calls in flight are counted for all accounts together',
    seenBy: 'limits',
    file: 'gateway/src/admission/admit.ts',
    change: { expression: '$limits.enter($account)', becomes: '$limits.enter(0n)' },
  },
  {
    name: 'tenancy: calls a second are counted for all credentials together',
    seenBy: 'limits',
    file: 'gateway/src/admission/admit.ts',
    change: { expression: '$limits.takeCall($credential)', becomes: '$limits.takeCall(0n)' },
  },
];

export const TENANCY_MUTANTS: readonly Mutant[] = FAULTS.map(({ seenBy, ...fault }) => ({
  ...fault,
  tests: [`test/security/tenancy/${seenBy}.test.ts`],
}));
