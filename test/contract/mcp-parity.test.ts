import { connectMcp, type McpSession } from '@ces/gateway/test-support/mcp-client';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

const OPERATIONS = volumeOf(60, 5_000, 200);

/** Every REPEATED-th operation is repeated at once, as by a client that lost the answer. */
const REPEATED = 4;

let stack: TestStack;
let overHttp: Subscriber;
let overMcp: Subscriber;
let session: McpSession;

beforeAll(async () => {
  const calls = NO_FLOOD_LIMITS;
  stack = await startTestStack({ env: calls });
  const { companies, observations } = facilities(8, 'battery plant');
  await recordEvidence(stack, companies, observations);
  // Both accounts reach these limits before the end, so that refusals are compared too.
  const limits = {
    ...AMPLE,
    windowRequestUnits: BigInt(Math.floor(OPERATIONS / 3)),
    windowDeliveredUnits: BigInt(OPERATIONS * 2),
  };
  overHttp = await createSubscriber(stack, { plan: 'builder', limits });
  overMcp = await createSubscriber(stack, { plan: 'builder', limits });
  session = await connectMcp(stack.baseUrl, '2026-07-28', overMcp.token);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

function mostly<T>(good: readonly T[], bad: readonly T[]): fc.Arbitrary<T> {
  const [often, seldom] = [fc.constantFrom(...good), fc.constantFrom(...bad)];
  return fc.oneof({ weight: 20, arbitrary: often }, { weight: 1, arbitrary: seldom });
}
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });

/** Few keys, so that many operations meet an existing key. */
const key = mostly([...Array.from({ length: OPERATIONS * 0.75 }, (_, index) => `key ${index}`), 'é'], [' ']);
const hostname = mostly(['northwind1.example', ' NORTHWIND2.example. ', 'x.example'], ['https://x.example/', 'a b']);
const companyId = mostly([1, 2, 3, 999], [0, 1.5, 2 ** 53]);
const filters = fc.record(
  {
    countries: fc.array(mostly(['CA', 'US'], ['MX']), { maxLength: 3 }),
    kinds: fc.array(mostly(['facility_expansion', 'company_profile'], ['job_posting']), { maxLength: 2 }),
    occurred_after: mostly(['2020-01-01T00:00:00Z', '2100-01-01T00:00:00+02:00'], ['2020-01-01']),
    domains: fc.array(hostname, { maxLength: 2 }),
    exclude_company_ids: fc.array(companyId, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const search = fc.record({
  tool: fc.constant('search_companies' as const),
  key,
  input: fc.record({
    query: mostly(['battery plant', ' Battery  plant', 'battery plant -northwind', 'zinc'], ['', ' ']),
    filters: sometimes(filters),
    limit: sometimes(mostly<unknown>([1, 2, 3, 5], [25, 26, 0, 1.5, '2'])),
    target: sometimes(mostly([5, 8, 1000], [1, 1001])),
    cursor: mostly<unknown>([undefined], ['x', '']),
    background: sometimes(mostly<unknown>([false], ['true'])),
  }),
});
const lookUp = fc.record({
  tool: fc.constant('get_companies' as const),
  key,
  input: fc.oneof(
    fc.record({ ids: fc.array(mostly([1, 2, 999], [0]), { minLength: 1, maxLength: 6 }) }),
    fc.record({ domains: fc.array(hostname, { maxLength: 4 }) }),
  ),
});
const operation = fc.oneof({ weight: 3, arbitrary: search }, { weight: 1, arbitrary: lookUp });
type Operation = Parameters<Parameters<typeof operation.map>[0]>[0];

/** Guarantees one refusal and one conflict, however few operations are generated. */
const CERTAIN = ['battery plant', 'zinc', ''].map((query) => ({
  tool: 'search_companies' as const,
  key: 'key 0',
  input: { query },
}));

type Call = Operation | (typeof CERTAIN)[number];

interface Outcome {
  readonly failed: boolean;
  readonly beside: readonly unknown[];
  readonly body: { readonly error?: { readonly code: string } };
}

/** Values that depend on the time, the account or a surface's parameter names. */
const OWN = new Set(['as_of', 'next_cursor', 'retry_at', 'retry_after_seconds', 'message']);

function comparable(body: unknown): Outcome['body'] {
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (name === 'usage') return { ...value, id: 0 };
    return OWN.has(name) ? typeof value : value;
  });
}

/** The seconds until a unit is available depend on the time. */
const besides = (said: (name: string) => unknown) => [
  ...['idempotent-replayed', 'units-settled', 'ratelimit-policy', 'link'].map((name) => said(name) ?? null),
  String(said('ratelimit') ?? '').replaceAll(/t=\d+/g, 't'),
  ...['usage-id', 'retry-after', 'location', 'x-request-id', 'traceparent'].map((name) => typeof (said(name) ?? null)),
];

async function runOverHttp({ tool, key, input }: Call): Promise<Outcome> {
  const header = Buffer.from(key).toString('latin1');
  const answer = await (tool === 'search_companies' ? overHttp.search(input, header) : overHttp.lookUp(input, header));
  const beside = besides((name) => answer.headers.get(name));
  return { failed: answer.status >= 400, beside, body: comparable(answer.body) };
}

async function runOverMcp({ tool, key, input }: Call): Promise<Outcome> {
  const result = await session.call(tool, { ...input, request_key: key });
  const beside = besides((name) => result._meta?.[name]);
  return { failed: result.isError === true, beside, body: comparable(result.structuredContent) };
}

async function storedOf({ accountId }: Subscriber): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: stack.databases.operations.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select action, request_key, encode(fingerprint, 'hex') as fingerprint, state, request_units, delivered_units
         from operation where account_id = $1 order by id`,
      [accountId],
    );
    return rows;
  } finally {
    await client.end();
  }
}

test(`${OPERATIONS} generated operations come out alike over HTTP and MCP`, {
  timeout: VOLUME_TIMEOUT_MS + 210_000,
}, async () => {
  const seed = printedSeed();
  const outcomes = new Map<string, number>();
  const operations = [...CERTAIN, ...fc.sample(operation, { seed, numRuns: OPERATIONS })];
  for (const each of operations.flatMap((each, index) => (index % REPEATED === 0 ? [each, each] : [each]))) {
    const [http, mcp] = await Promise.all([runOverHttp(each), runOverMcp(each)]);
    expect(mcp, JSON.stringify(each)).toEqual(http);
    const outcome = http.body.error?.code ?? (http.beside[0] === 'true' ? 'replayed' : 'finished');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  console.log(Object.fromEntries(outcomes));
  for (const outcome of ['finished', 'replayed', 'invalid_search', 'idempotency_conflict', 'request_limit_reached'])
    expect([...outcomes.keys()]).toContain(outcome);
  expect(await storedOf(overMcp)).toEqual(await storedOf(overHttp));
  const [http, mcp] = await Promise.all([overHttp.report(), overMcp.report()]);
  expect([mcp.body.usage, mcp.body.reservations]).toEqual([http.body.usage, http.body.reservations]);
});
