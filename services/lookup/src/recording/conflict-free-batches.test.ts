import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inRounds } from './conflict-free-batches.ts';

test('no round holds a key twice, and the records of a key keep their order over the rounds', () => {
  const records = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    .map((keys) => keys.map((key, place) => ({ key, place })));
  fc.assert(
    fc.property(records, (batch) => {
      const rounds = inRounds(batch);
      for (const round of rounds) expect(new Set(round.map((record) => record.key)).size).toBe(round.length);
      const ofKey = (all: typeof batch, key: string) => all.filter((record) => record.key === key);
      for (const key of 'abcd') expect(ofKey(rounds.flat(), key)).toEqual(ofKey(batch, key));
    }),
  );
});

test('records of a topic share a round only while all are parted, and keep their order', () => {
  const number = fc.constantFrom(undefined, 1, 2, 3);
  const records = fc
    .array(fc.record({ topic: fc.constantFrom('x', 'y', undefined), number }), { maxLength: 30 })
    .map((all) => all.map((record, place) => ({ ...record, place, key: `${place}` })));
  const meeting = {
    keysOf: ({ key }: { key: string }) => [key],
    topicOf: ({ topic }: { topic: string | undefined }) => topic,
    parted: (one: { number: number | undefined }, other: { number: number | undefined }) =>
      one.number !== undefined && other.number !== undefined && one.number !== other.number,
  };
  fc.assert(
    fc.property(records, (batch) => {
      const rounds = inRounds(batch, meeting);
      for (const round of rounds)
        for (const [place, one] of round.entries())
          for (const other of round.slice(place + 1))
            expect(one.topic !== undefined && one.topic === other.topic && !meeting.parted(one, other)).toBe(false);
      const ofTopic = (all: typeof batch, topic: string) => all.filter((record) => record.topic === topic);
      for (const topic of 'xy') expect(ofTopic(rounds.flat(), topic)).toEqual(ofTopic(batch, topic));
    }),
  );
  const apart = Array.from({ length: 500 }, (_, place) => ({ topic: 'x', number: place, key: `${place}` }));
  expect(inRounds(apart, meeting)).toHaveLength(1);
});
