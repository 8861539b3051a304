import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type CompanyRecordSchema, RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

const DAY_MS = 86_400_000;
const CIK = { scheme: 'cik', value: '880011' };
const LEI = { scheme: 'lei', value: '54930000000000000002' };

let stack: TestStack;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

type Company = Omit<MessageInitShape<typeof CompanyRecordSchema>, '$typeName'>;

async function record(
  source: string,
  observedFact: string,
  company: Company,
  kind: Kind = Kind.COMPANY_PROFILE,
): Promise<bigint> {
  const observedAt = timestampFromDate(new Date(Date.now() - DAY_MS));
  const occurredAt = kind === Kind.COMPANY_PROFILE ? undefined : observedAt;
  const { observations, tx } = await stack.record.recordEvidence({
    source,
    observations: [
      {
        key: `${source} ${company.key}`,
        company: { country: Country.CA, ...company },
        kind,
        observedFact,
        whyItMayMatter: 'Who it is.',
        country: Country.CA,
        confidence: 0.9,
        observedAt,
        ...(occurredAt && { occurredAt }),
        evidence: [{ sourceUri: 'https://register.example/1', excerpt: observedFact, observedAt }],
        contentHash: createHash('sha256').update(observedFact).digest(),
        hostnames: [...(company.hostnames ?? [])],
      },
    ],
  });
  expect(observations.map(({ outcome, reason }) => [outcome, reason])).toEqual([[RecordOutcome.CREATED, '']]);
  return tx;
}

function idsOf({ body }: Awaited<ReturnType<Subscriber['lookUp']>>): Set<number> {
  return new Set(body.lookups.flatMap((one) => (one.status === 'found' ? [one.company_id] : [])));
}

test('a company known by one number here and by another there is one, and a look-up finds it by either website', async () => {
  const [old, other] = ['corvane.example', 'corvane-group.example'];
  await record('s1', 'Corvane makes kilns.', {
    key: 'a',
    name: 'Corvane Materials Inc.',
    identifiers: [CIK],
    hostnames: [old],
  });
  await record('s2', 'The group makes bricks.', {
    key: 'b',
    name: 'CORVANE GROUP',
    identifiers: [LEI],
    hostnames: [other],
  });
  const apart = await subscriber.lookUp({ domains: [old, other] });
  expect(idsOf(apart).size).toBe(2);

  await record('s3', 'It is on record by both numbers.', { key: 'c', name: 'Corvane', identifiers: [CIK, LEI] });
  const answer = await subscriber.lookUp({ domains: [old, other] });
  const { body } = answer;
  expect(body.lookups.map(({ status }) => status)).toEqual(['found', 'found']);
  expect(idsOf(answer).size).toBe(1);
  expect(body.companies).toHaveLength(1);
  expect(body.usage.delivered_units).toBe(1);
});

test('the activity of a renamed company is found by its former name', async () => {
  const company = {
    key: 'd',
    name: 'Tessaly Works Inc.',
    identifiers: [{ scheme: 'cik', value: '880012' }],
    formerNames: [{ name: 'Brannoch Weaving Inc.' }],
  };
  const tx = await record('s1', 'Tessaly Works Inc. opened a mill.', company, Kind.FACILITY_EXPANSION);
  await stack.untilIndexed(tx);
  const { body } = await subscriber.search({ query: 'what does Brannoch Weaving open' });
  expect(body.companies.map(({ name }) => name)).toEqual(['Tessaly Works Inc.']);
});
