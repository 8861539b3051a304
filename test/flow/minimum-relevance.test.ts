import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings as operationsSettings } from '@ces/operations/config';
import { start as startOperations } from '@ces/operations/start';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { settings as searchSettings } from '@ces/search/config';
import { start as startSearch } from '@ces/search/start';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { facilities, type ObservationInput, recordEvidence } from '../support/record.ts';
import { startGatewayBefore, startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

const QUERY = 'battery storage plants in Ohio';
const ANSWERS = 4;
/** In thousandths. */
const LEAST = '300';
/** Enough unrelated observations to make the calibrated probability meaningful. */
const OTHERS = 1000;
const AT_ONCE = 250;

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let subscriber: Subscriber;
let without: Pick<Subscriber, 'search'>;
let impossible: Pick<Subscriber, 'search'>;
/** Has one word of the query and another kind. */
let improbable: number;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: { CES_SEARCH_MINIMUM_RELEVANCE: LEAST } }));
  const { companies, observations } = facilities(ANSWERS, 'battery storage plant in Ohio');
  const odd = {
    key: 'odd',
    companyKey: 'odd',
    kind: Kind.PARTNERSHIP,
    observedFact: 'The owner bought a plant pot in Ohio',
  };
  const recorded = await recordEvidence(stack, [...companies, { key: 'odd' }], [...observations, odd]);
  improbable = recorded.companies.odd ?? 0;
  await recordOthers();
  subscriber = await createSubscriber(stack);
  without = await installationWith('0');
  impossible = await installationWith('1000');
  const found = async () => idsOf(await subscriber.search({ query: QUERY, limit: 10 }));
  await vi.waitFor(async () => expect(await found()).toHaveLength(ANSWERS), { timeout: 60_000, interval: 200 });
});
afterAll(() => cleanup.disposeAsync());

async function recordOthers(): Promise<void> {
  for (let at = 0; at < OTHERS; at += AT_ONCE) {
    const others = Array.from({ length: AT_ONCE }, (_, n): ObservationInput => {
      const key = `other${at + n}`;
      return { key, companyKey: 'other', observedFact: `Shed ${at + n} was painted` };
    });
    await recordEvidence(stack, [{ key: 'other' }], others);
  }
}

async function installationWith(minimumRelevance: string): Promise<Pick<Subscriber, 'search'>> {
  const logger = createLogger('test', 'silent');
  const env = { ...stack.environmentOf('search'), CES_SEARCH_MINIMUM_RELEVANCE: minimumRelevance };
  const search = cleanup.use(await startSearch(readSettings(searchSettings, env), logger));
  const own = { ...stack.environmentOf('operations'), CES_SEARCH_URL: search.url };
  const operations = cleanup.use(await startOperations(readSettings(operationsSettings, own), logger));
  const gateway = cleanup.use(await startGatewayBefore(stack, operations.url));
  return surface(gateway.url, subscriber.token);
}

const idsOf = ({ body }: Awaited<ReturnType<Subscriber['search']>>) => body.companies.map(({ id }) => id);

test('with a minimum probability improbable companies are left out, neither delivered nor charged', async () => {
  const answer = await subscriber.search({ query: QUERY, limit: 10 });
  expect(idsOf(answer)).toHaveLength(ANSWERS);
  expect(idsOf(answer)).not.toContain(improbable);
  expect(answer.body.coverage).toMatchObject({
    available_companies: ANSWERS,
    stop_reason: 'sources_exhausted',
  });
  expect(answer.headers.get('units-settled')).toBe(`request=1, delivered=${ANSWERS}, fresh=0`);
});

test('without one every company stays, and the answer says so', async () => {
  const answer = await without.search({ query: QUERY, limit: 10 });
  expect(idsOf(answer).at(-1)).toBe(improbable);
  expect(answer.body.coverage.limitations).toContain('relevance_not_validated');
});

test('a search that finds nothing probable settles one request unit, and a retry says the same', async () => {
  const answer = await impossible.search({ query: QUERY }, 'sure');
  expect(answer).toMatchObject({ status: 200, body: { companies: [], next_cursor: null, withheld_units: 0 } });
  expect(answer.body.coverage).toMatchObject({ available_companies: 0, returned_companies: 0 });
  expect(answer.headers.get('units-settled')).toBe('request=1, delivered=0, fresh=0');
  const retry = await without.search({ query: QUERY }, 'sure');
  expect(retry.body).toEqual({ ...answer.body, request_allowance: retry.body.request_allowance });
});

test.each([
  ['0', () => [without, subscriber] as const, ANSWERS + 1],
  ['a least probability', () => [subscriber, impossible] as const, ANSWERS],
])('pages and retries of a search that began with %s keep it when the setting changes', async (_, sides, available) => {
  const [before, after] = sides();
  const first = await before.search({ query: QUERY, limit: 2 });
  const pages = [first];
  for (let cursor = first.body.next_cursor; cursor; cursor = pages.at(-1)?.body.next_cursor ?? null)
    pages.push(await after.search({ query: QUERY, limit: 2, cursor }));
  expect(new Set(pages.flatMap(idsOf)).size).toBe(available);
  expect(pages.flatMap(idsOf)).toHaveLength(available);
  for (const page of pages) {
    expect(page.body.coverage.available_companies).toBe(available);
    expect(page.body.coverage.limitations).toEqual(first.body.coverage.limitations);
  }
  const again = await after.search({ query: QUERY, limit: 2 }, first.body.usage.request_key);
  expect(again.body).toEqual({ ...first.body, request_allowance: again.body.request_allowance });
});
