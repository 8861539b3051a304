import { expect, test } from 'vitest';
import { SegmentBuilder } from '../inverted-index/segment.ts';
import { emptyDocuments, viewOfAll } from '../memory-index.ts';
import { BufferPool } from '../ranking/buffer-pool.ts';
import { readSpellingCandidates, readTermStatistics } from './term-statistics.ts';

const OBSERVED = {
  companyId: 1,
  kind: 1,
  country: 1,
  occurredAt: 0,
  observedAt: 0,
  recordedAt: 0,
  deliverableUntil: Number.POSITIVE_INFINITY,
  partition: 20260901,
  facts: undefined,
};

/** Observations by id with their lexemes. A later one with the same id replaces an earlier one. */
function viewOfTexts(texts: readonly (readonly [number, readonly string[]])[]) {
  const documents = emptyDocuments();
  const builder = new SegmentBuilder(documents.observationTexts.lexicon);
  for (const [id, lexemes] of texts) {
    const number = documents.observations.add({ ...OBSERVED, id, length: lexemes.length });
    builder.add(number, lexemes.map((lexeme, at) => `'${lexeme}':${at + 1}`).join(' '));
  }
  documents.observationTexts.append(builder.build());
  const index = { ...documents, from: 0, leftOut: 0, origin: '', version: 1n, position: undefined };
  return viewOfAll({ ...index, buffers: new BufferPool() });
}

test('words are counted in indexed documents, not in replaced ones', () => {
  const view = viewOfTexts([
    [1, ['batteri', 'plant']],
    [2, ['batteri']],
    [1, ['mill']],
  ]);
  const { observations, words } = readTermStatistics(view, ['batteries', 'mills', 'the', 'unheard', 'batteries']);
  expect(observations).toEqual({ documents: 2, meanLength: 1 });
  expect([...words].map(([word, { lexeme, observations: documents }]) => [word, lexeme, documents])).toEqual([
    ['batteries', 'batteri', 1],
    ['mills', 'mill', 1],
    ['unheard', 'unheard', 1],
  ]);
});

test('in long lists the share of the dead is taken off', () => {
  const ids = Array.from({ length: 6_000 }, (_, at) => at);
  const view = viewOfTexts([
    ...ids.map((id) => [id, ['plant']] as const),
    ...ids.map((id) => [id, ['plant']] as const),
  ]);
  expect(readTermStatistics(view, ['plant']).words.get('plant')?.observations).toBe(6_000);
});

test('of spellings one letter away the best known counts, from five documents on', () => {
  const known = (lexeme: string, documents: number, from: number) =>
    Array.from({ length: documents }, (_, at) => [from + at, [lexeme]] as const);
  const view = viewOfTexts([...known('furnitur', 7, 1), ...known('rumour', 4, 20)]);
  expect(readSpellingCandidates(view, ['furnture', 'rumuor'])).toEqual([
    { written: 'furnture', lexeme: 'furnitur', observations: 7, descriptions: 0 },
  ]);
});
