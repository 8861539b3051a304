import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

let stack: FakeStack;
let calls: { readonly rpc: string; readonly request: object }[];
let broken: boolean;

beforeEach(() => {
  calls = [];
  broken = false;
});

beforeAll(async () => {
  const noted = (rpc: string, request: object) => calls.push({ rpc, request });
  stack = await startFakeStack({
    lookup: (router) =>
      router.service(RecordService, {
        takeDown: (request) => {
          noted('takeDown', request);
          return { takeDownId: 4n, observations: 7n, evidence: 1n };
        },
        liftTakeDown: (request) => {
          noted('liftTakeDown', request);
          return { observations: 7n, evidence: 1n, changed: true };
        },
        listTakeDowns: () => ({
          takeDowns: [
            {
              id: 4n,
              scope: { scope: { case: 'companyId', value: 12n } },
              reason: 'asked',
              caller: 'admin',
              observations: 7n,
            },
          ],
        }),
        mergeCompanies: (request) => {
          noted('mergeCompanies', request);
          return { survivorId: request.intoId, changed: true };
        },
        splitCompanies: () => ({ leftId: 1n, changed: true }),
        verifyRecord: ({ afterId }) => ({
          checked: 2,
          lastId: afterId + 2n,
          hasMore: afterId === 0n,
          unverified: broken && afterId === 0n ? [{ observationId: 2n, reason: 'its words differ' }] : [],
        }),
      }),
    acquisition: (router) =>
      router.service(AcquisitionAdminService, {
        verifyEvidence: () => ({
          checked: 3,
          broken: broken ? [{ evidenceId: 9n, observationId: 5n, problem: 'its raw record has changed' }] : [],
        }),
      }),
  });
});

afterAll(() => stack[Symbol.asyncDispose]());

test('a take-down names exactly one thing, with a reason', async () => {
  const words = ['evidence', 'take-down', '--reason', 'asked'];
  expect(await ces([...words, '--company', '12'], stack.env)).toMatchObject({
    exitCode: 0,
    stdout: 'Take-down 4 is in force: 7 observations and 1 single pieces of evidence were withdrawn.\n',
  });
  expect(calls[0]?.request).toMatchObject({ scope: { scope: { case: 'companyId', value: 12n } }, reason: 'asked' });
  expect(await ces([...words, '--raw-record', 'ab'.repeat(32)], stack.env)).toMatchObject({ exitCode: 0 });
  for (const more of [[], ['--company', '1', '--source', 's'], ['--raw-record', 'xyz']])
    expect(await ces([...words, ...more], stack.env)).toMatchObject({ exitCode: 2 });
  expect(await ces(['evidence', 'take-down', '--company', '12'], { ...stack.env, CES_REASON: '' })).toMatchObject({
    exitCode: 2,
  });
  expect(calls).toHaveLength(2);
});

test('take-downs are listed and lifted', async () => {
  expect((await ces(['evidence', 'take-downs'], stack.env)).stdout).toContain('company 12');
  expect((await ces(['evidence', 'lift', '4', '--reason', 'settled'], stack.env)).stdout).toContain('is lifted');
  expect(calls[0]?.request).toMatchObject({ takeDownId: 4n, reason: 'settled' });
});

test('verify goes through the record and the raw records, and fails when anything differs', async () => {
  const good = await ces(['evidence', 'verify'], stack.env);
  expect(good.exitCode).toBe(0);
  expect(good.stdout).toContain('All evidence is unchanged.');
  broken = true;
  const bad = await ces(['evidence', 'verify', '--json'], stack.env);
  expect(bad.exitCode).toBe(1);
  expect(bad.json()).toMatchObject({
    observations: 4,
    excerpts: 3,
    broken: [
      { observation_id: 2, problem: 'its words differ' },
      { observation_id: 5, evidence_id: 9, problem: 'its raw record has changed' },
    ],
  });
});

test('companies are merged and split with a reason', async () => {
  expect((await ces(['company', 'merge', '2', '1', '--reason', 'same'], stack.env)).stdout).toBe(
    'Company 2 is part of company 1.\n',
  );
  expect(calls[0]?.request).toMatchObject({ companyId: 2n, intoId: 1n, reason: 'same' });
  expect((await ces(['company', 'split', '2', '--reason', 'two'], stack.env)).stdout).toContain('no longer part');
  expect(await ces(['company', 'split', '2'], { ...stack.env, CES_REASON: '' })).toMatchObject({ exitCode: 2 });
});
