import { setImmediate as untilAnswered } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { PrincipalSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { seeded } from '@ces/test/support/random.ts';
import { expect, test } from 'vitest';
import { createAuthenticate, type Identity } from './authenticate.ts';
import { type Changes, PrincipalChanges, type PrincipalVersion } from './principal-changes.ts';

const STALE_MS = 30_000;

/** A ledger that fulfils the contract. A bearer is `ACCOUNT/…`; each change raises the version. */
class VersionedLedger {
  epoch = 'first';
  version = 10n;
  questions = 0;
  polls = 0;
  /** Awaited after the read and before the answer. */
  answering: { question: () => Promise<void>; poll: () => Promise<void> } = {
    question: async () => undefined,
    poll: async () => undefined,
  };
  fault: { question?: () => unknown; poll?: () => unknown } = {};
  namesAtMost = Number.POSITIVE_INFINITY;
  readonly revoked = new Set<string>();
  readonly #statuses = new Map<bigint, string>();
  readonly #changes = new Map<bigint, bigint>();

  change(accountId: bigint, status: string): void {
    this.#statuses.set(accountId, status);
    this.note(accountId);
  }

  note(accountId: bigint): void {
    this.version += 1n;
    this.#changes.set(accountId, this.version);
  }

  /** Goes back to a version, as a database restore does; all accounts get `status`. */
  restore(version: bigint, status: string): void {
    this.version = version;
    for (const accountId of this.#statuses.keys()) this.#statuses.set(accountId, status);
    this.#changes.clear();
  }

  readonly authenticate = async (bearer: string): Promise<Identity> => {
    this.questions += 1;
    const fault = this.fault.question?.();
    if (fault) throw fault;
    const accountId = BigInt(bearer.split('/')[0] ?? '');
    const refusal = this.revoked.has(bearer) && fail(FailureCode.INVALID_API_KEY, 'revoked');
    const principal = create(PrincipalSchema, {
      accountId,
      subscriptionStatus: this.#statuses.get(accountId) ?? 'active',
    });
    const version = { epoch: this.epoch, version: this.version };
    await this.answering.question();
    if (refusal) throw refusal;
    return { principal, validForMs: Number.POSITIVE_INFINITY, version };
  };

  readonly listChanges = async (since: PrincipalVersion): Promise<Changes> => {
    this.polls += 1;
    const fault = this.fault.poll?.();
    if (fault) throw fault;
    const now = { epoch: this.epoch, version: this.version };
    const accountIds = [...this.#changes].flatMap(([id, version]) => (version > since.version ? [id] : []));
    const everything = since.epoch !== now.epoch || since.version > now.version || accountIds.length > this.namesAtMost;
    await this.answering.poll();
    return { now, everything, accountIds: everything ? [] : accountIds };
  };
}

function away(): unknown {
  return fail(FailureCode.SERVICE_UNAVAILABLE, 'no answer');
}

function setUp(ledger = new VersionedLedger(), freshMs = 1_000) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const changes = new PrincipalChanges({ ask: ledger.listChanges, freshMs, now });
  const authenticate = createAuthenticate({ ask: ledger.authenticate, changes, freshMs, staleMs: STALE_MS, now });
  const statusOf = async (bearer: string) => (await authenticate(bearer)).subscriptionStatus;
  const callUntil = async (ms: number, bearer: string, everyMs = 100) => {
    for (; clock.ms < ms; clock.ms += everyMs) {
      await authenticate(bearer);
      await untilAnswered();
    }
  };
  return { ledger, clock, authenticate, statusOf, callUntil };
}

test('while nothing changes, an answer is asked for once and changes twice a second', async () => {
  const { ledger, callUntil } = setUp();
  await callUntil(20_000, '1/a');
  expect(ledger.questions).toBe(1);
  expect(ledger.polls).toBeGreaterThanOrEqual(36);
  expect(ledger.polls).toBeLessThanOrEqual(40);
});

test('hundreds of bearers of one account and of others cost as many polls as one', async () => {
  const { ledger, clock, authenticate } = setUp();
  const bearers = [...Array(300).keys()].map((n) => `${n % 3}/${n}`);
  for (const bearer of bearers) await authenticate(bearer);
  expect(ledger.questions).toBe(300);
  for (let n = 0; n < 3_000; n += 1) {
    clock.ms += 7;
    await authenticate(bearers[n % bearers.length] ?? '');
    await untilAnswered();
  }
  expect(ledger.questions).toBe(300);
  expect(ledger.polls).toBeLessThanOrEqual(43);
  ledger.change(1n, 'past_due');
  clock.ms += 1_000;
  const told = await Promise.all(bearers.map(async (bearer) => (await authenticate(bearer)).subscriptionStatus));
  expect(told.filter((status) => status === 'past_due')).toHaveLength(100);
  expect(ledger.questions).toBe(400);
});

test('without calls nothing is requested', async () => {
  const { ledger, clock, callUntil } = setUp();
  await callUntil(2_000, '1/a');
  const { polls } = ledger;
  clock.ms = 3_600_000;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([ledger.questions, ledger.polls]).toEqual([1, polls]);
});

test('calls after a pause share one poll and read only changed principals again', async () => {
  const { ledger, clock, authenticate } = setUp();
  await Promise.all(['1/a', '2/b'].map((bearer) => authenticate(bearer)));
  clock.ms = 10_000;
  await Promise.all(Array.from({ length: 50 }, (_, n) => authenticate(n % 2 ? '1/a' : '2/b')));
  expect([ledger.questions, ledger.polls]).toEqual([2, 1]);
  ledger.change(1n, 'past_due');
  clock.ms = 20_000;
  await Promise.all(Array.from({ length: 50 }, (_, n) => authenticate(n % 2 ? '1/a' : '2/b')));
  expect([ledger.questions, ledger.polls]).toEqual([3, 2]);
});

test('whatever the moment of a change and of calls, a call that begins a second later sees it', async () => {
  const random = seeded('changes');
  for (let trial = 0; trial < 60; trial += 1) {
    const { ledger, clock, statusOf } = setUp();
    const changedAt = 1_000 + random.below(3_000);
    const pace = 5 + random.below(random.pick([30, 300, 2_000]));
    const end = changedAt + 3_000;
    let isChanged = false;
    for (; clock.ms < end; clock.ms += pace) {
      if (!isChanged && clock.ms >= changedAt) {
        ledger.change(7n, 'paused');
        isChanged = true;
      }
      const sees = (await statusOf('7/a')) === 'paused';
      if (isChanged && clock.ms >= changedAt + pace + 1_000) expect(sees).toBe(true);
      if (random.chance(0.7)) await untilAnswered();
    }
  }
});

test('a change between what an answer read and the poll is named by the poll, however late the answer comes', async () => {
  const { ledger, clock, statusOf, authenticate } = setUp();
  await authenticate('2/other');
  const late = Promise.withResolvers<void>();
  ledger.answering.question = () => late.promise;
  const first = statusOf('1/a');
  await untilAnswered();
  ledger.change(1n, 'past_due');
  clock.ms = 600;
  await authenticate('2/other');
  await untilAnswered();
  clock.ms = 1_100;
  await authenticate('2/other');
  await untilAnswered();
  ledger.answering.question = async () => undefined;
  late.resolve();
  expect(await first).toBe('active');
  expect(await statusOf('1/a')).toBe('past_due');
});

test('a poll counts from its beginning: one that is answered late confirms nothing', async () => {
  const { ledger, clock, statusOf, authenticate } = setUp();
  await authenticate('1/a');
  const late = Promise.withResolvers<void>();
  ledger.answering.poll = () => late.promise;
  clock.ms = 1_000;
  const waiting = statusOf('1/a');
  await untilAnswered();
  ledger.change(1n, 'past_due');
  clock.ms = 2_100;
  late.resolve();
  // The poll started before the change, so either answer is valid.
  await waiting;
  expect(await statusOf('1/a')).toBe('past_due');
});

test('polls never overtake each other: one is under way at a time', async () => {
  const { ledger, clock, authenticate, callUntil } = setUp();
  await callUntil(1_200, '1/a');
  let [under, most] = [0, 0];
  ledger.answering.poll = async () => {
    under += 1;
    most = Math.max(most, under);
    await untilAnswered();
    await untilAnswered();
    under -= 1;
  };
  const calls = [];
  for (; clock.ms < 9_000; clock.ms += 40) {
    calls.push(authenticate('1/a'));
    if (clock.ms % 200 === 0) await untilAnswered();
  }
  await Promise.all(calls);
  expect(most).toBe(1);
});

test('while polls fail, each bearer is asked for once a second, and polls go on as soon as they are answered', async () => {
  const { ledger, callUntil } = setUp();
  await callUntil(2_000, '1/a');
  ledger.fault.poll = away;
  await callUntil(7_000, '1/a');
  expect(ledger.questions).toBeGreaterThanOrEqual(5);
  expect(ledger.questions).toBeLessThanOrEqual(6);
  ledger.fault = {};
  await callUntil(9_000, '1/a');
  const { questions } = ledger;
  await callUntil(14_000, '1/a');
  expect(ledger.questions).toBe(questions);
});

test('a poll that is never answered delays no call after the first', async () => {
  const { ledger, clock, authenticate } = setUp();
  await authenticate('1/a');
  const silent = Promise.withResolvers<void>();
  ledger.answering.poll = () => silent.promise;
  clock.ms = 1_500;
  const first = authenticate('1/a');
  await untilAnswered();
  clock.ms = 2_500;
  silent.reject(away());
  await first;
  expect(ledger.questions).toBe(2);
  ledger.answering.poll = () => new Promise(() => undefined);
  clock.ms = 4_000;
  await authenticate('1/a');
  clock.ms = 5_500;
  await authenticate('1/a');
  expect(ledger.questions).toBe(4);
});

test('when the ledger goes away, what a poll confirmed last serves thirty seconds from there', async () => {
  const { ledger, clock, authenticate, statusOf, callUntil } = setUp();
  await callUntil(20_050, '1/a');
  ledger.fault = { question: away, poll: away };
  clock.ms = 49_000;
  expect(await statusOf('1/a')).toBe('active');
  clock.ms = 51_000;
  await expect(authenticate('1/a')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
});

test('a principal known to have changed is not served while the ledger is unavailable', async () => {
  const { ledger, clock, authenticate, callUntil } = setUp();
  await callUntil(2_050, '1/a');
  await authenticate('2/b');
  ledger.change(1n, 'paused');
  ledger.fault.question = away;
  clock.ms = 3_100;
  await expect(authenticate('1/a')).rejects.toMatchObject({ status: 503 });
  clock.ms = 4_300;
  expect((await authenticate('2/b')).accountId).toBe(2n);
});

test('a revoked key is refused, and asked for again as long as it is called with; others of its account work', async () => {
  const { ledger, clock, authenticate } = setUp();
  await Promise.all([authenticate('1/a'), authenticate('1/b')]);
  ledger.revoked.add('1/a');
  ledger.note(1n);
  clock.ms = 1_000;
  await expect(authenticate('1/a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  await authenticate('1/b');
  expect(ledger.questions).toBe(4);
  expect([authenticate.knows('1/a'), authenticate.knows('1/b')]).toEqual([false, true]);
  clock.ms = 1_999;
  await expect(authenticate('1/a')).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(ledger.questions).toBe(4);
  ledger.revoked.delete('1/a');
  clock.ms = 2_000;
  await authenticate('1/a');
  expect(ledger.questions).toBe(5);
});

test('an answer is asked for again within a minute, whatever polls say, and not of all bearers at once', async () => {
  const { ledger, clock, authenticate } = setUp();
  const bearers = Array.from({ length: 40 }, (_, n) => `1/${n}`);
  const askedAgain = [];
  for (; clock.ms <= 60_000; clock.ms += 500) {
    const { questions } = ledger;
    for (const bearer of bearers) await authenticate(bearer);
    await untilAnswered();
    if (clock.ms > 0 && ledger.questions > questions) askedAgain.push(clock.ms);
  }
  expect(ledger.questions).toBe(80);
  expect(Math.min(...askedAgain)).toBeGreaterThanOrEqual(30_000);
  expect(askedAgain.length).toBeGreaterThan(10);
});

test.each([
  ['a version that goes back', (ledger: VersionedLedger) => ledger.restore(3n, 'canceled')],
  [
    'another epoch, however far its version is',
    (ledger: VersionedLedger) => {
      ledger.restore(99n, 'canceled');
      ledger.epoch = 'second';
    },
  ],
])('%s means a restore: all principals are read again, including those in flight', async (_, restore) => {
  const { ledger, clock, authenticate, statusOf } = setUp();
  ledger.change(1n, 'active');
  ledger.change(2n, 'active');
  await authenticate('1/a');
  const late = Promise.withResolvers<void>();
  clock.ms = 900;
  ledger.answering.question = () => late.promise;
  const onItsWay = statusOf('2/b');
  await untilAnswered();
  ledger.answering.question = async () => undefined;
  restore(ledger);
  clock.ms = 1_850;
  expect(await statusOf('1/a')).toBe('canceled');
  late.resolve();
  expect(await onItsWay).toBe('active');
  clock.ms = 1_900;
  expect(await statusOf('2/b')).toBe('canceled');
  const { questions } = ledger;
  clock.ms = 4_000;
  await Promise.all([authenticate('1/a'), authenticate('2/b')]);
  expect(ledger.questions).toBe(questions);
});

test('with more changes than are listed, all principals are read again once', async () => {
  const { ledger, clock, authenticate } = setUp();
  ledger.namesAtMost = 5;
  const bearers = Array.from({ length: 20 }, (_, n) => `${n}/a`);
  for (const bearer of bearers) await authenticate(bearer);
  for (let n = 0n; n < 6n; n += 1n) ledger.change(n, 'paused');
  for (const at of [1_000, 2_000, 3_000]) {
    clock.ms = at;
    for (const bearer of bearers) await authenticate(bearer);
  }
  expect(ledger.questions).toBe(40);
});

test('two gateways hear of one change, each by polls of its own', async () => {
  const ledger = new VersionedLedger();
  const [one, other] = [setUp(ledger), setUp(ledger)];
  await one.callUntil(3_000, '1/a');
  await other.callUntil(2_700, '1/a');
  ledger.change(1n, 'past_due');
  one.clock.ms += 1_000;
  other.clock.ms += 1_000;
  expect([await one.statusOf('1/a'), await other.statusOf('1/a')]).toEqual(['past_due', 'past_due']);
});

test('where no answer counts, every call asks', async () => {
  const { ledger, authenticate } = setUp(new VersionedLedger(), 0);
  for (let n = 0; n < 5; n += 1) await authenticate('1/a');
  expect([ledger.questions, ledger.polls]).toEqual([5, 0]);
});
