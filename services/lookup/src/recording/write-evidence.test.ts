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
  numbers: fc.subarray(['7', '8', '9'], { maxLength: 2 }),
  title: fc.constantFrom('Fuel', 'Snow'),
});

let runs = 0;

/** For each record which earlier one it is an observation with, and what became of it; batch by batch. */
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
        eventIdentifiers: numbers.map((value) => ({ scheme: 'solicitation', value })),
      }),
    );
    const answer = await service.record.recordEvidence({ source, observations });
    for (const { observationId, outcome } of answer.observations) {
      ids.push(observationId);
      answers.push([outcome, ids.indexOf(observationId)]);
    }
  }
  return answers;
}

test('a batch of records that share company, day and title is written as if each came by itself', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(report, { maxLength: 4 }), fc.array(report, { maxLength: 10 }), async (before, batch) => {
      const singly = (records: readonly Report[]) => records.map((one) => [one]);
      expect(await record([...singly(before), batch])).toEqual(await record([...singly(before), ...singly(batch)]));
    }),
    { numRuns: 25 },
  );
});
