import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import type { ObservationRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named } from '../../test-support/inline.ts';
import { hashOf } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { loadResolutionVocabulary } from '../matching/vocabulary.ts';
import { checkObservation } from '../validation/check-observation.ts';
import { accepted, BatchResults } from './batch-results.ts';
import { writeEvidence } from './write-evidence.ts';

const vocabulary = loadResolutionVocabulary();
let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

interface Work {
  statements: number;
  rows: number;
}

function counting(client: Queryable, work: Work): Queryable {
  const query = (asked: string | { readonly values?: readonly unknown[] }, values?: readonly unknown[]) => {
    work.statements += 1;
    const given = (typeof asked === 'string' ? values : asked.values) ?? [];
    work.rows += Math.max(0, ...given.map(rowsOf));
    return (client.query as (...all: unknown[]) => unknown)(asked, values);
  };
  return { query } as unknown as Queryable;
}

function rowsOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'string' && value.startsWith('[{') ? JSON.parse(value).length : 0;
}

let calls = 0;

async function workOf(records: readonly ObservationRecord[]): Promise<Work> {
  calls += 1;
  const source = `source ${calls}`;
  const checked = records.map((record) => checkObservation(source, record));
  const results = new BatchResults(checked);
  const work = { statements: 0, rows: 0 };
  await inTransaction(service.pool, (client) =>
    writeEvidence(counting(client, work), vocabulary, source, accepted(checked), results),
  );
  expect(results.all().filter((result) => !('id' in result))).toEqual([]);
  return work;
}

const KINDS: Readonly<Record<string, (index: number, buyer: string) => ObservationRecord>> = {
  'of one source key': (index, buyer) => numbered(index, buyer, { key: 'a', number: 'RFP 7' }),
  'of one event': (index, buyer) => numbered(index, buyer, { key: `${index}`, number: 'RFP 7' }),
  'of one company, day and title': (index, buyer) => numbered(index, buyer, { key: `${index}` }),
  'of several keys, events and titles': (index, buyer) =>
    numbered(index, buyer, {
      key: index % 3 === 0 ? 'a' : `${index}`,
      number: index % 5 === 0 ? undefined : `RFP ${index % 2 === 0 ? 7 : index}`,
      title: index % 7 === 0 ? 'Snow' : 'Fuel',
    }),
};

interface Numbered {
  readonly key: string;
  readonly number?: string | undefined;
  readonly title?: string;
}

function numbered(index: number, buyer: string, { key, number, title = 'Fuel' }: Numbered): ObservationRecord {
  return inline(key, named(buyer, { key: 'buyer' }), {
    title,
    contentHash: hashOf(`${index}`),
    eventIdentifiers: number === undefined ? [] : [{ scheme: 'solicitation', value: number }],
  });
}

test.each(Object.entries(KINDS))(
  'a call of records %s does work that grows with them and no faster',
  { tags: 'nightly' },
  async (kind, record) => {
    const works: Work[] = [];
    for (const count of [100, 200, 400]) {
      const buyer = `Department of ${kind} ${count}`;
      works.push(await workOf(Array.from({ length: count }, (_, index) => record(index, buyer))));
    }
    const [hundred, ...more] = works as [Work, Work, Work];
    for (const [doubled, { statements, rows }] of more.entries()) {
      const times = 2 ** (doubled + 1);
      expect(statements / hundred.statements, JSON.stringify(works)).toBeLessThanOrEqual(times * 1.1);
      expect(rows / hundred.rows, JSON.stringify(works)).toBeLessThanOrEqual(times * 1.1);
    }
  },
);
