import { timestampDate } from '@bufbuild/protobuf/wkt';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { expect, test } from 'vitest';
import { ces, startFakeStack } from '../../test-support/fake-stack.ts';
import type { ServiceName } from '../operator/stack.ts';

/** Services with two pages each; `calls` lists the service, page and `since` of every call. */
async function startServices(unrepaired: readonly string[] = []) {
  const calls: string[] = [];
  const service = (name: ServiceName) => ({
    [name]: (router: Parameters<NonNullable<Parameters<typeof startFakeStack>[0]['ledger']>>[0]) =>
      router.service(RestoreService, {
        afterRestore: ({ page, since }) => {
          calls.push([name, page, since && timestampDate(since).toISOString()].filter(Boolean).join(' '));
          const steps = [{ what: 'rows said again', count: 2n, unrepaired: page ? [...unrepaired] : [] }];
          return { steps, nextPage: page ? '' : '2' };
        },
      }),
  });
  const stack = await startFakeStack({
    ...service('ledger'),
    ...service('operations'),
    ...service('lookup'),
    ...service('acquisition'),
    ...service('search'),
  });
  return { ...stack, calls };
}

test('after a restore of the ledger, operations follows page by page, and the repairs are counted', async () => {
  await using stack = await startServices();
  const { exitCode, stdout } = await ces(['after-restore', 'ledger'], stack.env);
  expect([exitCode, stack.calls]).toEqual([0, ['ledger', 'ledger 2', 'operations', 'operations 2']]);
  expect(stdout).toMatch(/operations\s+rows said again\s+4/);
  expect(stdout).toContain('All services agree.');
});

test('all services are repaired once, each after those that it depends on', async () => {
  await using stack = await startServices();
  const since = '2026-11-20T00:00:00Z';
  const { exitCode } = await ces(['after-restore', 'all', '--since', since, '--json'], stack.env);
  expect(exitCode).toBe(0);
  const order = stack.calls.filter((call) => !call.includes(' 2 ')).map((call) => call.split(' ')[0]);
  expect(order).toEqual(['ledger', 'operations', 'lookup', 'acquisition', 'search']);
  expect(stack.calls.every((call) => call.endsWith('2026-11-20T00:00:00.000Z'))).toBe(true);
});

test('failed repairs are named, and the exit code is 1', async () => {
  await using stack = await startServices(['operation 7']);
  const { exitCode, stdout } = await ces(['after-restore', 'operations'], stack.env);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('operation 7: rows said again');
});
