// @module-tag nightly
import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { type ServiceProcess, startServiceProcess } from '@ces/test/support/service-process.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, expect, test } from 'vitest';
import { outcomeOf } from '../../test-support/expect.ts';
import { callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

// Promise R10: jobs that throw, crash their process, never return or answer with too much, mixed
// with healthy jobs.
const POISONS = ['throws', 'exits', 'never returns', 'too much'] as const;
const EACH = volumeOf(1, 5);
const GOOD = volumeOf(12, 200);
const ATTEMPTS = 3;

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('poison jobs fail after so many attempts and cost nothing, and all others are delivered', {
  timeout: VOLUME_TIMEOUT_MS + 60_000,
}, async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_WORKERS: '0' });
  stack.record.addCompanies(2);
  const env = { CES_OPERATIONS_WORKERS: '4', CES_OPERATIONS_ATTEMPTS: String(ATTEMPTS) };
  // Long enough for workers that are killed and restart on a busy machine: healthy jobs must not
  // expire meanwhile.
  await using workers = new Workers({ ...stack.env, ...env, CES_OPERATIONS_PROCESSING_MS: '45000' });
  stack.search.before = async (_, query) => {
    if (query.startsWith('throws')) throw new Error('a bug');
    if (query.startsWith('too much')) throw new ConnectError('x'.repeat(40 * 1024 * 1024), Code.Unavailable);
    if (query.startsWith('exits')) await workers.kill();
    if (query.startsWith('never returns')) await new Promise<never>(() => undefined);
  };
  const queries = [
    ...POISONS.flatMap((poison) => Array.from({ length: EACH }, (_, at) => `${poison} ${at}`)),
    ...Array.from({ length: GOOD }, (_, at) => `good ${at}`),
  ];
  const submit = (query: string) =>
    stack
      .client()
      .submitCompanySearch({ caller: callerOfAccount(), requestKey: query, input: { query }, background: true });
  const ids = new Map<string, bigint>();
  for (const query of queries) ids.set(query, (await submit(query)).answer?.usage?.id ?? 0n);
  for (const [query, id] of ids) {
    const wanted = query.startsWith('good') ? Status.DELIVERED : Status.FAILED;
    const answer = await stack.untilStatus(id, wanted, VOLUME_TIMEOUT_MS);
    const { usage } = answer;
    expect({ query, units: usage.units?.requestUnits }).toEqual({ query, units: query.startsWith('good') ? 1n : 0n });
    if (wanted === Status.FAILED)
      expect([FailureCode.SEARCH_FAILED, FailureCode.USAGE_EXPIRED]).toContain(outcomeOf(answer, 'failed').code);
  }
  expect(stack.ledger.count(HoldState.POSTED)).toBe(GOOD);
  expect(stack.ledger.count(HoldState.HELD)).toBe(0);
  expect(workers.kills).toBeGreaterThanOrEqual(EACH);
  expect(workers.kills).toBeLessThanOrEqual(EACH * ATTEMPTS);
});

class Workers implements AsyncDisposable {
  kills = 0;
  readonly #env: Readonly<Record<string, string>>;
  #current: Promise<ServiceProcess>;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
    this.#current = startServiceProcess('operations', env);
  }

  async kill(): Promise<void> {
    const current = this.#current;
    const doomed = await current;
    if (this.#current === current) {
      this.kills += 1;
      doomed.child.kill('SIGKILL');
      this.#current = doomed.ended.then(() => startServiceProcess('operations', this.#env));
    }
    await this.#current;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#current)[Symbol.asyncDispose]();
  }
}
