import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { type Random, seeded } from '../support/random.ts';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// R14: pages partition the shortlist that the first page froze, whatever happens to the record and
// the index meanwhile.
const SHORTLISTS = volumeOf(3, 200, 6);
const COMPANIES = 24;
const A_ROUND = 3;
const QUERIES = ['glass furnace', 'furnace', 'glass furnace line', 'northwind glass'];

interface Listed {
  readonly body: { readonly query: string; readonly limit: number };
  readonly first: AnswerBody;
  readonly frozen: readonly number[];
}

let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;
let operations: pg.Client;

beforeAll(async () => {
  const env = NO_FLOOD_LIMITS;
  stack = await startTestStack({ env });
  const { companies, observations } = facilities(COMPANIES, 'glass furnace');
  recorded = await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack, { limits: AMPLE });
  operations = new pg.Client({ connectionString: stack.databases.operations.ownerUrl });
  await operations.connect();
});
afterAll(async () => {
  await operations.end();
  await stack[Symbol.asyncDispose]();
});

const idsOf = (page: AnswerBody) => page.companies.map(({ id }) => id);

async function search(body: Readonly<Record<string, unknown>>): Promise<AnswerBody> {
  const answer = await subscriber.search(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function freeze(random: Random): Promise<Listed> {
  const body = { query: random.pick(QUERIES), limit: 2 + random.below(6) };
  const first = await search(body);
  const { rows } = await operations.query('select items from shortlist where operation_id = $1', [first.usage.id]);
  const frozen = rows[0].items.map((item: { company_id: number }) => item.company_id);
  expect(frozen.slice(0, body.limit)).toEqual(idsOf(first));
  return { body, first, frozen };
}

async function restOf({ body, first }: Listed): Promise<AnswerBody[]> {
  const pages: AnswerBody[] = [];
  for (let cursor = first.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor ?? null)
    pages.push(await search({ ...body, cursor }));
  return pages;
}

function expectPartition({ first, frozen }: Listed, rest: readonly AnswerBody[], gone: ReadonlySet<number>): void {
  const seen = new Set(idsOf(first));
  const ids = rest.flatMap(idsOf);
  expect(ids).toEqual(frozen.filter((id) => !seen.has(id) && !gone.has(id)));
  for (const page of rest)
    expect([page.coverage.occurred_after, page.as_of, page.withheld_units]).toEqual([
      first.coverage.occurred_after,
      first.as_of,
      0,
    ]);
}

function observationsOf(companyIds: ReadonlySet<number>): bigint[] {
  return Object.entries(recorded.companies)
    .filter(([, id]) => companyIds.has(id))
    .map(([key]) => BigInt(recorded.observations[key.replace('c', 'o')] ?? 0));
}

async function recordBetter(round: number): Promise<void> {
  const key = `late${round}`;
  const observedFact = `Late ${round} opens a glass furnace line, glass furnace line, northwind glass furnace line`;
  await recordEvidence(stack, [{ key, name: `Late ${round} Glass` }], [{ key, companyKey: key, observedFact }]);
}

test(
  `the pages of ${SHORTLISTS} shortlists are these and no others while the index is rebuilt and evidence comes and goes`,
  async () => {
    const random = seeded(String(printedSeed()));
    for (let round = 0; round * A_ROUND < SHORTLISTS; round += 1) {
      await stack.untilIndexed();
      const lists = [];
      for (let made = 0; made < A_ROUND; made += 1) lists.push(await freeze(random));
      const gone = new Set(Object.values(recorded.companies).filter(() => random.chance(0.25)));
      for (const observationId of observationsOf(gone))
        await stack.record.withdrawEvidence({ observationId, reason: 'test' });
      await stack.searchAdmin.rebuildIndex({});
      const rests = await Promise.all([...lists.map(restOf), recordBetter(round).then(() => [])]);
      for (const [at, list] of lists.entries()) expectPartition(list, rests[at] ?? [], gone);
      for (const observationId of observationsOf(gone)) await stack.record.restoreEvidence({ observationId });
    }
  },
  VOLUME_TIMEOUT_MS,
);
