import { connectMcp } from '@ces/gateway/test-support/mcp-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { daysAgo, facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

const WITHIN = { timeout: 60_000, interval: 200 };
const LATELY = { query: 'battery plants' };
const EVER = { ...LATELY, filters: { occurred_after: '2020-01-01T00:00:00Z' } };

let stack: TestStack;
let subscriber: Subscriber;
let recorded: Recorded;
beforeAll(async () => {
  stack = await startTestStack({ env: { CES_SEARCH_KEPT_MONTHS: '12' } });
  const { companies, observations } = facilities(2, 'battery plant');
  const dated = observations.map((one, at) => (at === 1 ? { ...one, occurredAt: daysAgo(400) } : one));
  recorded = await recordEvidence(stack, companies, dated);
  subscriber = await createSubscriber(stack);
  await vi.waitFor(async () => {
    const { body } = await subscriber.search(EVER);
    expect(body.coverage.limitations).toContain('kept_months');
  }, WITHIN);
});
afterAll(() => stack[Symbol.asyncDispose]());

async function answerTo(search: typeof LATELY, key: string) {
  return await vi.waitFor(async () => {
    const { status, body } = await subscriber.search(search, key);
    expect(status).toBe(200);
    return body;
  }, WITHIN);
}

test('a search beyond the months in the index says so over REST and MCP, and others do not', async () => {
  const { coverage, companies } = await answerTo(EVER, 'ever');
  expect(companies.map(({ id }) => id)).toContain(recorded.companies.c1);
  expect(coverage.limitations).toContain('kept_months');
  expect(coverage.limitations).not.toContain('candidates_truncated');
  await using session = await connectMcp(stack.baseUrl, '2026-07-28', subscriber.token);
  const overMcp = await session.call('search_companies', { ...EVER, request_key: 'ever' });
  expect(overMcp.structuredContent).toMatchObject({ coverage });
  expect((await answerTo(LATELY, 'lately')).coverage.limitations).not.toContain('kept_months');
});
