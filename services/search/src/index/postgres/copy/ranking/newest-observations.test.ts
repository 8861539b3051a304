import { expect, test } from 'vitest';
import { noDocuments } from '../copied-index.ts';
import { CODES_END, DEAD } from '../documents/observation-code.ts';
import { UNDATED_PARTITION } from '../partition-number.ts';
import { SegmentBuilder } from '../texts/segment.ts';
import { newestObservations } from './newest-observations.ts';

/** Observations in the order in which a copy reads them, each list in a segment of its own: id, partition, and when it happened. */
function tableOf(...segments: readonly (readonly (readonly [number, number, number])[])[]) {
  const { observations, observationTexts } = noDocuments();
  for (const segment of segments) {
    const builder = new SegmentBuilder(observationTexts.lexicon);
    for (const [id, partition, occurredAt] of segment) {
      builder.add(observations.size, '', partition);
      const others = { companyId: 1, kind: 1, country: 1, length: 1, facts: undefined };
      const instants = { occurredAt, observedAt: 0, deliverableUntil: Number.POSITIVE_INFINITY };
      observations.add({ id, partition, ...others, ...instants });
    }
    observationTexts.append(builder.build());
  }
  return { observations, observationTexts: observationTexts.all() };
}

/** Ids of the newest that pass, and of all that were looked at. */
function newestIn(copy: ReturnType<typeof tableOf>, most: number, passes: (id: number) => boolean = () => true) {
  const idOf = (number: number) => copy.observations.ids.values[number] ?? 0;
  const looked = new Set<number>();
  const admission = {
    codes: new Uint8Array(CODES_END).fill(1, 0, DEAD),
    passes(number: number) {
      looked.add(idOf(number));
      return passes(idOf(number));
    },
    from: Number.NEGATIVE_INFINITY,
  };
  return { found: newestObservations(copy, admission, most).map(idOf), looked: [...looked] };
}

/* Of 33, 11, 5 and 2 documents: none is merged. */
const SEPTEMBER = Array.from({ length: 33 }, (_, at) => [100 + at, 20260901, 900 + at] as const);
const AUGUST = Array.from({ length: 11 }, (_, at) => [200 + at, 20260801, 800 + at] as const);
const JULY = Array.from({ length: 5 }, (_, at) => [300 + at, 20260701, 700 + at] as const);
const LATE = [
  [400, 20260901, 999],
  [401, 20260701, 799],
] as const;

test('older partitions are not looked at where newer ones have enough', () => {
  const copy = tableOf(SEPTEMBER, AUGUST, JULY);
  expect(copy.observationTexts.segments).toHaveLength(3);
  const { found, looked } = newestIn(copy, 3);
  expect(found).toEqual([132, 131, 130]);
  expect(Math.max(...looked)).toBeLessThan(200);
});

test('what was written later is found in its place, and what is of an older partition not before the rest', () => {
  const copy = tableOf(SEPTEMBER, AUGUST, JULY, LATE);
  expect(copy.observationTexts.segments).toHaveLength(4);
  expect(newestIn(copy, 2).found).toEqual([400, 132]);
  expect(newestIn(copy, 14, (id) => id >= 200).found).toEqual([
    400, 210, 209, 208, 207, 206, 205, 204, 203, 202, 201, 200, 401, 304,
  ]);
});

test('what has no date or lies with it is looked at in any case', () => {
  const undated = [
    [500, UNDATED_PARTITION, Number.NaN],
    [501, UNDATED_PARTITION, 950],
  ] as const;
  const copy = tableOf(SEPTEMBER, AUGUST, JULY, undated);
  expect(newestIn(copy, 2).found).toEqual([501, 132]);
  expect(newestIn(copy, 100).found.at(-1)).toBe(500);
});

test('fewer than asked for are all there are, dead ones left out by whoever asks', () => {
  const copy = tableOf(SEPTEMBER, AUGUST);
  expect(newestIn(copy, 100, (id) => id >= 209).found).toEqual([210, 209]);
});
