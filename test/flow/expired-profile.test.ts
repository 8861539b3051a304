import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

/** Long enough for the first search to find it on a busy machine. */
const LIVES_MS = 10_000;
const POLLING = { timeout: 60_000, interval: 250 };

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a profile that merely expires is shown by nothing from then on, though no change was recorded', async () => {
  const expires = Date.now() + LIVES_MS;
  const recorded = await recordEvidence(
    stack,
    [{ key: 'c', name: 'Tamrin Glass Ltd', hostnames: ['tamrin.example'] }],
    [
      {
        key: 'o',
        companyKey: 'c',
        kind: Kind.COMPANY_PROFILE,
        observedFact: 'Tamrin Glass makes laminated greenhouse panes',
        expiresAt: timestampFromMs(expires),
      },
    ],
  );
  const subscriber = await createSubscriber(stack);
  const position = async () => (await stack.searchAdmin.getIndexStatus({})).position;
  const filters = { kinds: ['company_profile'], domains: ['tamrin.example'] };
  const search = () => subscriber.search({ query: 'greenhouse panes', filters });
  const look = async () =>
    (await subscriber.lookUp({ ids: [recorded.companies.c ?? 0], domains: [] })).body.lookups[0]?.status;
  expect((await search()).body.companies).toHaveLength(1);
  expect(await look()).toBe('found');
  const before = await position();
  await expect.poll(look, POLLING).toBe('unavailable');
  expect(Date.now()).toBeGreaterThanOrEqual(expires);
  expect((await search()).body.companies).toEqual([]);
  const byDomain = await subscriber.lookUp({ domains: ['tamrin.example'] });
  expect(byDomain.body.lookups).toEqual([{ domain: 'tamrin.example', status: 'unavailable' }]);
  const answer = await subscriber.request('GET', `/api/observations/${recorded.observations.o}`);
  expect(answer.status).toBe(404);
  expect(await position()).toEqual(before);
});
