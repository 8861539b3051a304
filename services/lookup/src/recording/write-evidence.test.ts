import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named } from '../../test-support/inline.ts';
import { hashOf } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

interface Report {
  readonly key: string;
  readonly numbers: readonly string[];
  readonly title: string;
}

const report: fc.Arbitrary<Report> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  numbers: fc.subarray(['solicitation 7', 'solicitation 8', 'solicitation 9', 'permit 1', 'permit 2'], {
    maxLength: 2,
  }),
  title: fc.constantFrom('Fuel', 'Snow'),
});

let runs = 0;

async function record(batches: readonly (readonly Report[])[]): Promise<unknown[]> {
  runs += 1;
  const source = `source ${runs}`;
  const buyer = named(`Department of Run ${runs} Works`, { key: 'buyer' });
  const ids: bigint[] = [];
  const answers: unknown[] = [];
  for (const batch of batches) {
    const observations = batch.map(({ key, numbers, title }) =>
      inline(key, buyer, {
        title,
        contentHash: hashOf(`${key} ${title} ${numbers.join(' ')}`),
        observedFact: `${title} ${numbers.join(' ')}`,
        eventIdentifiers: numbers.map((number) => {
          const [scheme = '', value = ''] = number.split(' ');
          // Each run has its own numbers, because a number that many observations share names no
          // event.
          return { scheme, value: `${value} R${runs}` };
        }),
      }),
    );
    const answer = await service.record.recordEvidence({ source, observations });
    for (const { observationId, outcome } of answer.observations) {
      ids.push(observationId);
      answers.push([outcome, ids.indexOf(observationId)]);
    }
  }
  const { rows } = await service.owner.query<{ id: bigint; observed_fact: string }>(
    'select id, observed_fact from observation where id = any($1) order by array_position($1, id)',
    [ids],
  );
  return [...answers, rows.map(({ id, observed_fact }) => [ids.indexOf(id), observed_fact])];
}

/**
 * At first, `b` has the title of the observation. When `b` is written, the observation has another
 * number.
 */
const AMENDED_TITLE: [Report[], Report[]] = [
  [{ key: 'a', numbers: [], title: 'Fuel' }],
  [
    { key: 'a', numbers: [], title: 'Snow' },
    { key: 'a', numbers: ['solicitation 8'], title: 'Snow' },
    { key: 'b', numbers: ['solicitation 9'], title: 'Fuel' },
  ],
];
const AMENDED_TWICE: [Report[], Report[]] = [
  [],
  [{ key: 'a', numbers: [], title: 'Fuel' }, { key: 'a', numbers: [], title: 'Snow' }, ...AMENDED_TITLE[1].slice(1)],
];

test('a batch of records that share company, day and title is written as if each came by itself', {
  timeout: Math.max(300_000, VOLUME_TIMEOUT_MS),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(report, { maxLength: 4 }), fc.array(report, { maxLength: 10 }), async (before, batch) => {
      const singly = (records: readonly Report[]) => records.map((one) => [one]);
      expect(await record([...singly(before), batch])).toEqual(await record([...singly(before), ...singly(batch)]));
    }),
    { numRuns: volumeOf(15, 2_000, 40), seed: printedSeed(), examples: [AMENDED_TITLE, AMENDED_TWICE] },
  );
});

test('a title that a call ties to an event of another company is known to the records after it', async () => {
  const run = async (name: string, batches: readonly number[]) => {
    const works = named(`Department of ${name} Works`, { key: 'works' });
    const parks = named(`Ministry of ${name} Parks`, { key: 'parks' });
    const eventIdentifiers = [{ scheme: 'permit', value: `2024 ${name} 123456` }];
    const left = [
      inline('a', works, { title: 'Fuel', eventIdentifiers }),
      inline('b', parks, { title: 'Snow', eventIdentifiers }),
      inline('c', works, { title: 'Snow' }),
    ];
    const ids: bigint[] = [];
    for (const size of batches) {
      const answer = await service.record.recordEvidence({ source: name, observations: left.splice(0, size) });
      ids.push(...answer.observations.map(({ observationId }) => observationId));
    }
    return ids.map((id) => ids.indexOf(id));
  };
  expect(await run('Hills', [1, 1, 1])).toEqual([0, 0, 0]);
  expect(await run('Lakes', [1, 2])).toEqual([0, 0, 0]);
  expect(await run('Plains', [3])).toEqual([0, 0, 0]);
});
