import { connectMcp } from '@ces/gateway/test-support/mcp-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysAgo, type ObservationInput, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

/** More than the memory of the index holds. */
const OTHERS = 3_000;
const AT_ONCE = 500;
const SEARCH = { query: 'battery plants', filters: { occurred_after: '2020-01-01T00:00:00Z' } };

let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  stack = await startTestStack({ env: { CES_SEARCH_ENGINE: 'postgres', CES_SEARCH_MEMORY_INDEX_MIB: '1' } });
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

test('an index that grows beyond its memory loses its oldest months, and answers say so', async () => {
  const plant = (key: string, days: number): ObservationInput => ({
    key,
    companyKey: key,
    observedFact: 'opened a battery plant',
    occurredAt: daysAgo(days),
  });
  const { companies } = await recordEvidence(
    stack,
    [{ key: 'old' }, { key: 'new' }],
    [plant('old', 400), plant('new', 3)],
  );
  const before = await subscriber.search(SEARCH);
  expect(idsOf(before)).toEqual([companies.old, companies.new].toSorted());
  expect(before.body.coverage.limitations).not.toContain('kept_months');
  await recordOthers(200);

  const { body } = await subscriber.search(SEARCH, 'after');
  expect(idsOf({ body })).toEqual([companies.new]);
  expect(body.coverage.limitations).toContain('kept_months');
  expect(body.coverage.limitations).not.toContain('candidates_truncated');
  await using session = await connectMcp(stack.baseUrl, '2026-07-28', subscriber.token);
  const overMcp = await session.call('search_companies', { ...SEARCH, request_key: 'after' });
  expect(overMcp.structuredContent).toMatchObject({ coverage: body.coverage });
  const recent = await subscriber.search({ query: 'battery plants' });
  expect(idsOf(recent)).toEqual([companies.new]);
  expect(recent.body.coverage.limitations).not.toContain('kept_months');
});

function idsOf({ body }: { readonly body: { readonly companies: readonly { readonly id: number }[] } }): number[] {
  return body.companies.map(({ id }) => id).toSorted();
}

async function recordOthers(days: number): Promise<void> {
  for (let at = 0; at < OTHERS; at += AT_ONCE) {
    const others = Array.from({ length: AT_ONCE }, (_, n): ObservationInput => {
      const key = `other${at + n}`;
      return { key, companyKey: 'other', observedFact: `Shed ${at + n} was painted`, occurredAt: daysAgo(days) };
    });
    await recordEvidence(stack, [{ key: 'other' }], others);
  }
}
