import { randomUUID } from 'node:crypto';
import { connectMcp, type McpSession, textOf } from '@ces/gateway/test-support/mcp-client';
import { visibleText } from '@ces/proto/visible-text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { FUZZ_STACK } from '../support/contract/fuzz.ts';
import { expectBody } from '../support/contract/interface.ts';
import { seeded } from '../support/random.ts';
import { companyRecord, daysAgo, observationRecord } from '../support/record.ts';
import { hostileTexts } from '../support/security/hostile-texts.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// S9: hostile texts of sources reach every answer as data, or are refused on arrival.
const TEXTS = hostileTexts(volumeOf(16, 200, 60), seeded(String(printedSeed())));
const FIELDS = ['name', 'observedFact', 'excerpt', 'whyItMayMatter'] as const;
const MARK = 'quartzite quarry';
const PLAIN = `opens a ${MARK}`;

interface Kept {
  readonly text: string;
  readonly field: (typeof FIELDS)[number];
  readonly companyId: number;
}

let stack: TestStack;
let subscriber: Subscriber;
let session: McpSession;
const kept: Kept[] = [];
const refused: string[] = [];

beforeAll(async () => {
  stack = await startTestStack(FUZZ_STACK);
  subscriber = await createSubscriber(stack, { limits: AMPLE });
  session = await connectMcp(stack.baseUrl, '2026-07-28', subscriber.token);
  for (const [at, text] of TEXTS.entries()) await recordText(text, FIELDS[at % FIELDS.length] ?? 'name', `h${at}`);
  await stack.untilIndexed();
}, VOLUME_TIMEOUT_MS);
afterAll(async () => {
  await session?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

/**
 * Records a company with an observation, one text of which is hostile. A refusal must give a
 * reason.
 */
async function recordText(text: string, field: Kept['field'], key: string): Promise<void> {
  const about = (name: Kept['field'], plain: string) => (field === name ? text : plain);
  const company = companyRecord({ key, name: about('name', `Plain ${key}`), hostnames: [`${key}.example`] });
  const observation = observationRecord({
    ...{ key, companyKey: key },
    observedFact: about('observedFact', PLAIN),
    whyItMayMatter: about('whyItMayMatter', 'It buys.'),
    evidence: [
      {
        sourceUri: `https://source.example/${key}`,
        excerpt: about('excerpt', `They say: ${PLAIN}.`),
        observedAt: daysAgo(1),
      },
    ],
  });
  const made = await stack.record.recordCompanies({ source: 'test', companies: [company] });
  const companyId = Number(made.companies[0]?.companyId ?? 0);
  const seen = await stack.record.recordEvidence({ source: 'test', observations: [observation] });
  const reason = made.companies[0]?.reason || seen.observations[0]?.reason;
  if (reason) refused.push(`${field} ${JSON.stringify(text)}: ${reason}`);
  else kept.push({ text, field, companyId });
}

interface Company {
  readonly id: number;
  readonly name: string;
  readonly observations: readonly Readonly<{
    observed_fact: string;
    why_it_may_matter: string;
    evidence: readonly { excerpt: string }[];
  }>[];
}

function textIn({ name, observations: [observation] }: Company, field: Kept['field']): string | undefined {
  switch (field) {
    case 'name':
      return name;
    case 'observedFact':
      return observation?.observed_fact;
    case 'whyItMayMatter':
      return observation?.why_it_may_matter;
    case 'excerpt':
      return observation?.evidence[0]?.excerpt;
  }
}

/**
 * The stored text: lone surrogates are replaced, and invisible characters are dropped (promise
 * S18).
 */
const asKept = (text: string) => visibleText(text.toWellFormed());

function expectVerbatim(companies: readonly Company[], which: readonly Kept[]): void {
  for (const { text, field, companyId } of which) {
    const company = companies.find(({ id }) => id === companyId);
    expect(company && textIn(company, field), `${field} ${JSON.stringify(text)}`).toBe(asKept(text));
  }
}

/** A source's text must not start a line of a tool's output. */
function expectOwnLines(text: string): void {
  expect(text).not.toMatch(/[^\n\P{Cc}]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  for (const line of text.split('\n')) expect(line).not.toMatch(/^(SYSTEM|Human|Assistant|Operation 1 settled 0)/);
}

test('recorded texts are stored unchanged, or refused with a reason', () => {
  console.log(`${kept.length} of ${TEXTS.length} kept, ${refused.length} refused`);
  expect(kept.length + refused.length).toBe(TEXTS.length);
  expect(kept.length).toBeGreaterThan(TEXTS.length / 2);
  for (const line of refused)
    expect(line).toMatch(/: (.* is empty|.* contains .*|.* is longer than .*|.* is no http.*)$/);
});

test('look-ups over REST and MCP give it back letter by letter, and no text of a tool is broken by it', async () => {
  for (let at = 0; at < kept.length; at += 20) {
    const some = kept.slice(at, at + 20);
    const ids = some.map(({ companyId }) => companyId);
    const answer = await subscriber.lookUp({ ids });
    expectBody(answer, 200, 'CompanyLookupResult');
    expectVerbatim(answer.body.companies, some);
    const result = await session.call('get_companies', { ids, request_key: randomUUID() });
    expect((result.structuredContent as Answer['body']).companies).toEqual(answer.body.companies);
    expectOwnLines(textOf(result));
  }
});

test('searches over REST and MCP find the plain text next to it, and return it letter by letter', async () => {
  const input = { query: MARK, limit: 50 };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = cursor === undefined ? input : { ...input, cursor };
    const key = randomUUID();
    const answer = await subscriber.search(body, key);
    expectBody(answer, 200, 'CompanyResult');
    const found = new Set(answer.body.companies.map(({ id }: Company) => id));
    expect(found.size).toBeGreaterThan(0);
    expectVerbatim(
      answer.body.companies,
      kept.filter(({ companyId }) => found.has(companyId)),
    );
    const result = await session.call('search_companies', { ...body, request_key: key });
    expect((result.structuredContent as Answer['body']).companies).toEqual(answer.body.companies);
    expectOwnLines(textOf(result));
    cursor = answer.body.next_cursor;
  }
});

test('as queries, keys, hostnames and cursors they are answered or refused, and the service keeps running', {
  timeout: VOLUME_TIMEOUT_MS,
}, async () => {
  const statuses: Record<number, number> = {};
  for (const text of TEXTS) {
    const calls = [
      subscriber.search({ query: text, limit: 1 }),
      subscriber.search({ query: MARK, limit: 1, cursor: text }),
      subscriber.request('POST', '/api/observations/search', { json: { query: text, limit: 1 }, key: randomUUID() }),
      subscriber.lookUp({ domains: [text] }),
    ];
    for (const { status, body } of await Promise.all(calls)) {
      expect([200, 422], JSON.stringify([text, body])).toContain(status);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const result = await session.call('search_companies', { query: text, limit: 1, request_key: text });
    const { error } = result.structuredContent as Answer['body'];
    if (error) expect(['invalid_search', 'idempotency_key_required'], text).toContain(error.code);
  }
  console.log(statuses);
  expect((await subscriber.lookUp({ ids: [kept[0]?.companyId ?? 0] })).status).toBe(200);
});
