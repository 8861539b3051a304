import { expect, test } from 'vitest';
import { BufferPool } from './buffer-pool.ts';
import { ScoredDocuments } from './scored-documents.ts';

const SEED = 20_261_127;
const SEGMENT = 500;

function runsOf(share: number, random: () => number) {
  return [0, 2].map((segment) => {
    const documents = Uint16Array.from({ length: SEGMENT }, (_, behind) => behind).filter(() => random() < share);
    const counts = documents.map(() => Math.floor(random() * 3));
    const others = { positions: new Uint16Array(0), positionsFrom: 0, from: 0, to: documents.length };
    return { first: segment * SEGMENT, documents, counts: Uint8Array.from(counts), ...others };
  });
}

test.each([1, 5, 60, 400])('of %i scored documents those are found that lists have, whether few or many', (scored) => {
  const random = seeded(SEED + scored);
  for (let round = 0; round < 40; round += 1) {
    const numbers = Array.from({ length: 3 * SEGMENT }, (_, number) => number).sort(() => random() - 0.5);
    const documents = Int32Array.from(numbers.slice(0, scored));
    const buffers = new BufferPool();
    const slots = buffers.slots(3 * SEGMENT);
    for (const [slot, number] of documents.entries()) slots.values[number] = slots.base + slot + 1;
    const subject = new ScoredDocuments(documents, slots, buffers);
    const runs = runsOf([0.02, 0.3, 0.9][round % 3] ?? 0, random).filter(({ to }) => to > 0);
    const found = subject.match(runs);
    const countOf = new Map(
      runs.flatMap((run) => [...run.documents].map((behind, at) => [run.first + behind, run.counts[at] ?? 0] as const)),
    );
    const expected = [...documents].flatMap((number, slot) =>
      countOf.has(number) ? [[slot, countOf.get(number)]] : [],
    );
    const seen = Array.from({ length: found }, (_, at) => [subject.matched[at], subject.counts[at]]);
    expect(seen.sort(([a = 0], [b = 0]) => a - b)).toEqual(expected);
  }
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
