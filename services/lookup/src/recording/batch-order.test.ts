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

interface Told {
  readonly key: string;
  readonly numbers: readonly string[];
  readonly title: string;
}

const told: fc.Arbitrary<Told> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  numbers: fc.subarray(['7', '8', '9'], { maxLength: 2 }),
  title: fc.constantFrom('Fuel', 'Snow'),
});

let rounds = 0;

/** For each record which earlier one it is an observation with, and what became of it; batch by batch. */
async function record(batches: readonly (readonly Told[])[]): Promise<unknown[]> {
  rounds += 1;
  const source = `source ${rounds}`;
  const buyer = named(`Department of Round ${rounds} Works`, { key: 'buyer' });
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

test('a batch of records that share company, day and title is written as if each came alone', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 4 }), fc.array(told, { maxLength: 10 }), async (before, batch) => {
      const alone = (records: readonly Told[]) => records.map((one) => [one]);
      expect(await record([...alone(before), batch])).toEqual(await record([...alone(before), ...alone(batch)]));
    }),
    { numRuns: 25 },
  );
});
