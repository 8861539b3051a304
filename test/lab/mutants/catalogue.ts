import { ALLOWANCE_MUTANTS } from './allowance.ts';
import type { Mutant } from './mutant.ts';
import { TENANCY_MUTANTS } from './tenancy.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the clock is read before the lock',
    file: 'services/ledger/src/db/balance-snapshot.ts',
    change: { sql: "greatest(clock_timestamp(), last_at + interval '1 microsecond') as now", becomes: 'now() as now' },
    tests: ['services/ledger/src/posting/concurrency.test.ts'],
  },
  {
    name: 'a write without its fence',
    file: 'services/operations/src/db/transition.ts',
    change: {
      sql: 'where operation_id = $1 and fence = $2 returning operation_id',
      becomes: 'where operation_id = $1 and $2::bigint > 0 returning operation_id',
    },
    tests: ['services/operations/src/db', 'services/operations/src/execution', 'services/operations/src/background'],
  },
  {
    name: 'settled before it is stored',
    file: 'services/operations/src/execution/execute.ts',
    change: {
      expression: 'await storeOutput($deps, $claim, $output)',
      becomes:
        'await $deps.ledger.settle($claim.operation, { request: 1, delivered: $output.result.settledCompanyIds.length, fresh: $output.result.freshEvidenceUnits }), await storeOutput($deps, $claim, $output)',
    },
    tests: ['services/operations/src/execution/order.test.ts'],
  },
  {
    name: 'a conflict is ignored',
    file: 'services/operations/src/submission/replay.ts',
    change: { expression: '$operation.fingerprint.equals($other)', becomes: 'true' },
    tests: ['test/reliability/race.test.ts'],
  },
  {
    name: 'a refusal leaves no tombstone',
    file: 'services/ledger/src/posting/write.ts',
    change: { expression: 'steps.some(isRefusal)', becomes: 'false' },
    tests: ['services/ledger/src/posting/postings.test.ts'],
  },
  {
    name: 'more is settled than was held',
    file: 'services/ledger/src/allowance/posting.ts',
    change: { expression: 'exceeds($units, $hold.units)', becomes: 'false' },
    tests: ['services/ledger/src/posting/postings.test.ts'],
  },
  {
    name: 'the identity of an operation is not compared',
    file: 'services/ledger/src/allowance/mismatch.ts',
    change: { expression: 'hold.identity !== named.identity', becomes: 'false' },
    tests: ['services/ledger/src/posting/mismatch.test.ts', 'test/reliability/lost-numbers.test.ts'],
  },
  {
    name: 'the account of an operation is not compared',
    file: 'services/ledger/src/allowance/mismatch.ts',
    change: { expression: 'named.accountId !== accountId', becomes: 'false' },
    tests: ['services/ledger/src/posting/mismatch.test.ts'],
  },
  {
    name: 'lost numbers are given again',
    file: 'services/operations/src/operation/state-machine.ts',
    change: { expression: 'await skipOperationNumbers($$bound)', becomes: 'undefined' },
    tests: ['services/operations/src/submission/used-number.test.ts'],
  },
  {
    name: 'the feed is read past transactions that are open',
    file: 'services/lookup/src/changes/change-feed.ts',
    change: {
      sql: 'tx < pg_snapshot_xmin(pg_current_snapshot())',
      becomes: 'true',
    },
    tests: ['services/lookup/src/rpc/list-changes.test.ts'],
  },
  {
    name: 'a cursor opens for every account',
    file: 'services/operations/src/cursor/cursor.ts',
    change: { expression: '$binding.accountId', becomes: '0' },
    tests: ['services/operations/src/cursor/cursor.test.ts'],
  },
  {
    name: 'withheld units are counted from the present',
    file: 'services/operations/src/render/company-search.ts',
    change: {
      expression: '$result.settledCompanyIds.length - $companies.length',
      becomes: 'hydrated.filter(({ company }) => company).length - $companies.length',
    },
    tests: ['services/operations/src/render/render.test.ts'],
  },
  {
    name: 'the fingerprint knows background',
    file: 'services/operations/src/rpc/submit.ts',
    change: {
      expression: 'fingerprint($input)',
      becomes: 'fingerprint({ ...$input, form: { ...$input.form, background: request.background } })',
    },
    tests: ['test/reliability/race.test.ts'],
  },
  {
    name: 'units are given back before the failure is written',
    file: 'services/operations/src/execution/execute.ts',
    change: {
      expression: 'await markFailing($$facts)',
      becomes: 'await deps.ledger.release(operation), await markFailing($$facts)',
    },
    tests: ['services/operations/src/execution/order.test.ts'],
  },
  {
    name: 'what was rejected is left behind',
    file: 'services/operations/src/submission/accept.ts',
    change: { expression: 'withdraw($$operation)', becomes: 'Promise.resolve()' },
    tests: ['services/operations/src/operation/withdraw.test.ts'],
  },
  {
    name: 'units are given back before the operation is marked as withdrawn',
    file: 'services/operations/src/operation/state-machine.ts',
    change: {
      expression: 'await markWithdrawing($$operation)',
      becomes: 'await deps.ledger.withdraw(operation), await markWithdrawing($$operation)',
    },
    tests: ['services/operations/src/operation/withdraw.test.ts'],
  },
  {
    name: 'retries without a budget',
    file: 'services/chassis/src/rpc/calling/channel.ts',
    change: { expression: '{ maxTokens: 40, tokenRatio: 0.1 }', becomes: '{ maxTokens: 1000, tokenRatio: 1000 }' },
    tests: ['services/chassis/src/rpc/bounds.test.ts'],
  },
  {
    name: 'a known credential is known for ever',
    file: 'gateway/src/admission/authenticate.ts',
    change: {
      expression: '$latest && at - $latest.askedAt < this.#options.freshMs ? $latest : undefined',
      becomes: 'latest',
    },
    tests: ['gateway/src/admission/authenticate.test.ts'],
  },
  {
    name: 'what a poll has named is believed on',
    file: 'gateway/src/admission/principal-changes.ts',
    change: { expression: '$isFollowed && ($named ?? 0n) <= version', becomes: 'isFollowed' },
    tests: ['gateway/src/admission/principal-changes.test.ts'],
  },
  {
    name: 'a poll counts from its answer',
    file: 'gateway/src/admission/principal-changes.ts',
    change: {
      expression: 'this.#learn(since, changes, begunAt)',
      becomes: 'this.#learn(since, changes, this.#options.now())',
    },
    tests: ['gateway/src/admission/principal-changes.test.ts'],
  },
  ...ALLOWANCE_MUTANTS,
  ...TENANCY_MUTANTS,
];
