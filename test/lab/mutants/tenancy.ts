import type { Mutant } from './mutant.ts';

/** The account taken away from every place that names it, one place at a time. */
const PLACES: readonly (Omit<Mutant, 'tests'> & { readonly seenBy: 'interface' | 'rows' | 'limits' })[] = [
  {
    name: 'tenancy: an operation is found by id alone',
    seenBy: 'interface',
    file: 'services/operations/src/db/operation.ts',
    find: 'where o.id = $2 and o.account_id = $1',
    replace: 'where o.id = $2 and $1::bigint > 0',
  },
  {
    name: 'tenancy: an operation is found by key alone',
    seenBy: 'interface',
    file: 'services/operations/src/db/operation.ts',
    find: 'on o.account_id = $1 and o.action = $2',
    replace: 'on $1::bigint > 0 and o.action = $2',
  },
  {
    name: 'tenancy: a shortlist is found by id alone',
    seenBy: 'rows',
    file: 'services/operations/src/db/shortlist.ts',
    find: 'from shortlist where operation_id = $2 and account_id = $1',
    replace: 'from shortlist where operation_id = $2 and $1::bigint > 0',
  },
  {
    name: 'tenancy: the first positions of a shortlist are found by id alone',
    seenBy: 'rows',
    file: 'services/operations/src/db/shortlist.ts',
    find: 'where operation_id = $2 and account_id = $1 and place <= $3',
    replace: 'where operation_id = $2 and $1::bigint > 0 and place <= $3',
  },
  {
    name: 'tenancy: operations of every account are listed',
    seenBy: 'interface',
    file: 'services/operations/src/db/record.ts',
    find: 'o.account_id = $1)',
    replace: '$1::bigint > 0)',
  },
  {
    name: 'tenancy: a cursor is signed for nobody',
    seenBy: 'interface',
    file: 'services/operations/src/cursor/cursor.ts',
    find: 'binding.accountId}',
    replace: '0}',
  },
  {
    name: "tenancy: anybody's subscription pays",
    seenBy: 'rows',
    file: 'services/ledger/src/allowance/posting.ts',
    find: 'facts.accountId !== accountId || ',
    replace: '',
  },
  {
    name: "tenancy: units are taken under anybody's credential",
    seenBy: 'rows',
    file: 'services/ledger/src/db/credential.ts',
    find: 'and s.id = $2 and c.revoked_at is null',
    replace: 'and $2::bigint > 0 and c.revoked_at is null',
  },
  {
    name: 'tenancy: credentials of every account are listed',
    seenBy: 'interface',
    file: 'services/ledger/src/db/credential.ts',
    find: 'where account_id = $1\n',
    replace: 'where $1::bigint > 0\n',
  },
  {
    name: "tenancy: a credential comes with anybody's subscription",
    seenBy: 'interface',
    file: 'services/ledger/src/db/identity.ts',
    find: 'left join subscription s on s.account_id = c.account_id',
    replace: 'left join (select * from subscription order by id limit 1) s on true',
  },
  {
    name: 'tenancy: all credentials share one cached answer',
    seenBy: 'interface',
    file: 'gateway/src/admission/authenticate.ts',
    find: 'pepper + bearer',
    replace: 'pepper',
  },
  {
    name: 'tenancy: polls are counted by operation alone',
    seenBy: 'limits',
    file: 'gateway/src/admission/call-limits.ts',
    find: '{accountId}/',
    replace: '{0}/',
  },
  {
    name: 'tenancy: calls in flight are counted for all accounts together',
    seenBy: 'limits',
    file: 'gateway/src/admission/admit.ts',
    find: 'limits.enter(principal.accountId)',
    replace: 'limits.enter(0n)',
  },
  {
    name: 'tenancy: calls a second are counted for all credentials together',
    seenBy: 'limits',
    file: 'gateway/src/admission/admit.ts',
    find: 'limits.takeCall(principal.credentialId)',
    replace: 'limits.takeCall(0n)',
  },
];

export const TENANCY_MUTANTS: readonly Mutant[] = PLACES.map(({ seenBy, ...place }) => ({
  ...place,
  tests: [`test/security/tenancy/${seenBy}.test.ts`],
}));
