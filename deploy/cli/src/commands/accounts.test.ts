import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import {
  type CreateSubscriptionRequest,
  type IssueCredentialRequest,
  LedgerAdminService,
  type ListCredentialsRequest,
  type UpdateSubscriptionRequest,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { PepperState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

let stack: FakeStack;
let created: CreateSubscriptionRequest | undefined;
let issuedFor: IssueCredentialRequest | undefined;
let listedFor: ListCredentialsRequest | undefined;
let updated: UpdateSubscriptionRequest | undefined;

const LIMITS = { windowSeconds: 18_000n, windowRequestUnits: 60n, weekRequestUnits: 500n, pageLimit: 25 };

beforeAll(async () => {
  stack = await startFakeStack({
    ledger: (router) =>
      router.service(LedgerAdminService, {
        createAccount: ({ name, testMode }) => ({ account: { id: 4n, name, testMode } }),
        listAccounts: ({ afterId }) => ({
          accounts:
            afterId === 0n
              ? [{ id: 4n, name: 'Example', subscription: { id: 6n, plan: 'builder', status: 'active' } }]
              : [],
        }),
        createSubscription: (request) => {
          created = request;
          return {
            subscription: { id: 6n, accountId: request.accountId, plan: request.plan, effectiveLimits: LIMITS },
          };
        },
        updateSubscription: (request) => {
          updated = request;
          return {
            subscription: {
              id: request.subscriptionId,
              plan: 'builder',
              effectiveLimits: LIMITS,
              ownLimits: { weekRequestUnits: 500n },
            },
          };
        },
        listPlans: () => ({ plans: [{ name: 'builder', limits: LIMITS }] }),
        issueCredential: (request) => {
          issuedFor = request;
          return {
            credential: { id: 9n, accountId: request.accountId, label: request.label },
            token: 'ces_live_secret',
          };
        },
        listCredentials: (request) => {
          listedFor = request;
          const at = { accountId: 4n, prefix: 'ces_live_secr', scopes: ['search', 'usage'] };
          return {
            credentials: [
              { id: 9n, ...at, label: 'production', pepper: 'new', pepperState: PepperState.NEWEST },
              { id: 10n, ...at, pepper: 'old', pepperState: PepperState.OLD, expiresAt: { seconds: 1_800_000_000n } },
              { id: 11n, ...at, pepper: 'lost', pepperState: PepperState.MISSING },
            ],
          };
        },
        revokeCredential: () => {
          throw fail(FailureCode.NOT_FOUND, 'There is no key 8.');
        },
      }),
  });
});
afterAll(() => stack[Symbol.asyncDispose]());

test('accounts are made and listed', async () => {
  expect((await ces(['account', 'create', 'Example', '--test', '--json'], stack.env)).json()).toMatchObject({
    id: 4,
    test_mode: true,
  });
  const { stdout } = await ces(['account', 'list'], stack.env);
  expect(stdout).toBe(
    [
      'account  name     mode  subscription  plan     status',
      '      4  Example  live             6  builder  active',
      '',
    ].join('\n'),
  );
});

test('a subscription gets its own numbers by name', async () => {
  const limits = ['--limit', 'window.request_units=100000', '--limit', 'page_limit=100', '--window-seconds', '60'];
  const { exitCode } = await ces(['subscription', 'create', '4', '--plan', 'professional', ...limits], stack.env);
  expect(exitCode).toBe(0);
  expect(created).toMatchObject({
    accountId: 4n,
    plan: 'professional',
    ownLimits: { windowRequestUnits: 100_000n, pageLimit: 100, windowSeconds: 60n },
  });
  expect(created?.ownLimits?.weekRequestUnits).toBeUndefined();
});

test('a change names only what changes, and own numbers are marked', async () => {
  const { stdout } = await ces(['subscription', 'set', '6', '--status', 'past_due'], stack.env);
  expect(updated).toMatchObject({ subscriptionId: 6n, status: 'past_due', replaceLimits: false });
  expect(updated?.plan).toBeUndefined();
  expect(stdout).toContain('500 *');
});

test('a number that no span of time has, or an unknown plan, is wrong usage', async () => {
  for (const option of [
    ['--limit', 'day.request_units=1'],
    ['--limit', 'window.request_units=many'],
    ['--plan', 'free'],
  ]) {
    expect(await ces(['subscription', 'set', '6', ...option], stack.env)).toMatchObject({ exitCode: 2 });
  }
});

test('a token is shown when it is issued and never in a list', async () => {
  const issued = await ces(['api-key', 'issue', '4', '--label', 'production'], stack.env);
  expect(issued.stdout).toContain('ces_live_secret\n');
  expect((await ces(['api-key', 'list', '4'], stack.env)).stdout).not.toContain('ces_live_secret');
});

test('a key is issued with an end and with scopes, as `create` too', async () => {
  const scopes = ['--scope', 'lookup', '--scope', 'usage'];
  const until = ['--expires', '2027-01-15T08:00:00Z'];
  expect(await ces(['api-key', 'create', '4', ...until, ...scopes], stack.env)).toMatchObject({ exitCode: 0 });
  expect(issuedFor).toMatchObject({ scopes: ['lookup', 'usage'], expiresAt: { seconds: 1_800_000_000n } });
  await ces(['api-key', 'issue', '4', '--expires', '90d'], stack.env);
  const days = (Number(issuedFor?.expiresAt?.seconds) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
  expect(issuedFor?.scopes).toEqual([]);
  for (const wrong of [
    ['--expires', 'soon'],
    ['--expires', '0d'],
    ['--expires', '2027-01-15'],
    ['--scope', 'admin'],
  ])
    expect(await ces(['api-key', 'issue', '4', ...wrong], stack.env)).toMatchObject({ exitCode: 2 });
});

test('keys are listed with what they may do, when they end and which pepper they need', async () => {
  const { stdout } = await ces(['api-key', 'list', '4'], stack.env);
  expect(listedFor).toMatchObject({ accountId: 4n, needsOldPepper: false });
  const [head, ...rows] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^API key +account +prefix +label +scopes +pepper +created +last used +expires +revoked$/);
  expect(rows).toEqual([
    expect.stringMatching(/^ +9 +4 +ces_live_secr +production +search usage +new$/),
    expect.stringMatching(/^ *10 +4 +ces_live_secr +search usage +old \(old\) +2027-01-15 08:00:00Z$/),
    expect.stringMatching(/^ *11 +4 +ces_live_secr +search usage +lost \(missing\)$/),
  ]);
  const all = await ces(['api-key', 'list', '--old-pepper', '--json'], stack.env);
  expect(listedFor).toMatchObject({ accountId: 0n, needsOldPepper: true });
  expect(all.json()).toMatchObject([{ pepper_state: 'newest' }, { pepper_state: 'old' }, { pepper_state: 'missing' }]);
});

test('a refusal of a service is reported in its words with exit code 1', async () => {
  const { exitCode, stderr, json } = await ces(['api-key', 'revoke', '8', '--json'], stack.env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'ces: There is no key 8.\n' });
  expect(json()).toEqual({ error: { code: 'not_found', message: 'There is no key 8.' } });
});

test('a caller that may not administer is asked to check its token', async () => {
  const { exitCode, stderr } = await ces(['plan', 'show'], { ...stack.env, CES_RPC_TOKEN: 'wrong' });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('check CES_RPC_TOKEN');
});
