import { ALLOWANCE_MUTANTS } from './allowance.ts';
import type { Mutant } from './mutant.ts';
import { TENANCY_MUTANTS } from './tenancy.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the clock is read before the lock',
    file: 'services/ledger/src/db/balance-snapshot.ts',
    find: "greatest(clock_timestamp(), last_at + interval '1 microsecond') as now",
    replace: 'now() as now',
    tests: ['services/ledger/src/posting/concurrency.test.ts'],
  },
  {
    name: 'a write without its fence',
    file: 'services/operations/src/db/job.ts',
    find: "'delete from job where operation_id = $1 and fence = $2'",
    replace: "'delete from job where operation_id = $1 and $2::bigint > 0'",
    tests: ['services/operations/src/db', 'services/operations/src/execution', 'services/operations/src/background'],
  },
  {
    name: 'settled before it is stored',
    file: 'services/operations/src/execution/execute.ts',
    find: 'const stored = await storeWork(tools.pool, claim, work);',
    replace:
      'await tools.ledger.settle(claim.operation, { request: 1, delivered: work.result.settledCompanyIds.length, fresh: work.result.freshEvidenceUnits }); const stored = await storeWork(tools.pool, claim, work);',
    tests: ['services/operations/src/execution/order.test.ts'],
  },
  {
    name: 'a conflict is ignored',
    file: 'services/operations/src/submission/replay.ts',
    find: 'const isSame = operation.fingerprint.equals(submission.fingerprint);',
    replace: 'const isSame = true;',
    tests: ['test/reliability/race.test.ts'],
  },
  {
    name: 'a refusal leaves no tombstone',
    file: 'services/ledger/src/posting/write.ts',
    find: 'if (tombstones.length > 0) await insertTombstones',
    replace: 'if (tombstones.length < 0) await insertTombstones',
    tests: ['services/ledger/src/posting/postings.test.ts'],
  },
  {
    name: 'more is settled than was held',
    file: 'services/ledger/src/allowance/posting.ts',
    find: 'if (units.requestUnits > hold.units.requestUnits || units.deliveredUnits > hold.units.deliveredUnits)',
    replace: 'if (units.requestUnits < 0n)',
    tests: ['services/ledger/src/posting/postings.test.ts'],
  },
  {
    name: 'the feed is read past transactions that are open',
    file: 'services/lookup/src/changes/change-feed.ts',
    find: 'where (tx, seq) > ($1::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())',
    replace: 'where (tx, seq) > ($1::xid8, $2::bigint)',
    tests: ['services/lookup/src/rpc/list-changes.test.ts'],
  },
  {
    name: 'a cursor opens for every account',
    file: 'services/operations/src/cursor/cursor.ts',
    find: 'binding.accountId}',
    replace: '0}',
    tests: ['services/operations/src/cursor/cursor.test.ts'],
  },
  {
    name: 'withheld units are counted from the present',
    file: 'services/operations/src/render/company-search.ts',
    find: 'result.settledCompanyIds.length - companies.length',
    replace: 'hydrated.filter(({ company }) => company).length - companies.length',
    tests: ['services/operations/src/render/render.test.ts'],
  },
  {
    name: 'the fingerprint knows background',
    file: 'services/operations/src/rpc/submit-company-search.ts',
    find: 'fingerprint: fingerprint(input),',
    replace:
      "fingerprint: fingerprint({ action: 'company_search', form: { ...form, background } as CompanySearchForm }),",
    tests: ['test/reliability/race.test.ts'],
  },
  {
    name: 'units are given back before the failure is written',
    file: 'services/operations/src/execution/execute.ts',
    find: 'const failing = await markFailing',
    replace: 'await tools.ledger.release(operation); const failing = await markFailing',
    tests: ['services/operations/src/execution/order.test.ts'],
  },
  {
    name: 'what was turned away is left behind',
    file: 'services/operations/src/submission/accept.ts',
    find: 'const standing = await withdraw(deps, operation).catch(',
    replace: 'const standing = await Promise.resolve(undefined as Standing | undefined).catch(',
    tests: ['services/operations/src/operation/withdraw.test.ts'],
  },
  {
    name: 'units are given back before it is marked that nobody may be told',
    file: 'services/operations/src/operation/withdraw.ts',
    find: 'if (!(await markWithdrawing(tools.pool, operation.id)))',
    replace: 'await tools.ledger.withdraw(operation); if (!(await markWithdrawing(tools.pool, operation.id)))',
    tests: ['services/operations/src/operation/withdraw.test.ts'],
  },
  {
    name: 'retries without a budget',
    file: 'services/chassis/src/rpc/retry-budget.ts',
    find: 'if (this.#left < 1) return false;',
    replace: 'if (this.#left < -1_000_000) return false;',
    tests: ['services/chassis/src/rpc/bounds.test.ts'],
  },
  {
    name: 'a known credential is known for ever',
    file: 'gateway/src/admission/authenticate.ts',
    find: 'const entry = known && now() - known.askedAt < freshMs ? known : begin(bearerHash, bearer);',
    replace: 'const entry = known ?? begin(bearerHash, bearer);',
    tests: ['gateway/src/admission/authenticate.test.ts'],
  },
  ...ALLOWANCE_MUTANTS,
  ...TENANCY_MUTANTS,
];
