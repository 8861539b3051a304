import { create } from '@bufbuild/protobuf';
import { PlanSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { expect, test } from 'vitest';
import { findMisspellings, spellingsAtDistanceOne, withSpellingCandidates } from './spelling.ts';

const CORPUS = { documents: 100, meanLength: 10 };

function statisticsOf(documents: Readonly<Record<string, number>>) {
  const words = Object.entries(documents).map(
    ([word, count]) => [word, { lexeme: word.replace(/ings?$/, ''), observations: count, descriptions: 0 }] as const,
  );
  return { words: new Map(words), observations: CORPUS, descriptions: CORPUS };
}

function planOf(words: readonly string[], phrases: readonly string[] = []) {
  return create(PlanSchema, {
    activity: words.map((word) => ({ words: [word], text: word, weight: 1 })),
    phrases: [...phrases],
  });
}

test('spellings near a word are a letter away from it and begin as it does', () => {
  const candidates = spellingsAtDistanceOne('ofice');
  expect(candidates).toEqual(expect.arrayContaining(['office', 'ofce', 'ofiec', 'ofime']));
  for (const other of ['ofice', 'fice', 'afice', 'offfice']) expect(candidates).not.toContain(other);
  expect(spellingsAtDistanceOne('a'.repeat(20)).length).toBeLessThan(1100);
});

test('possible misspellings are words that the record hardly knows, three at most', () => {
  const statistics = statisticsOf({ ofice: 1, office: 50, abc: 1, model3: 1, furnture: 0, seatng: 0, cheirs: 0 });
  expect(findMisspellings(planOf(['ofice', 'office', 'abc', 'model3', 'the']), statistics)).toEqual(['ofice']);
  expect(findMisspellings(planOf(['ofice', 'furnture', 'seatng', 'cheirs']), statistics)).toHaveLength(3);
  expect(findMisspellings(planOf(['ofice'], ['ofice seats']), statistics)).toEqual([]);
  const inflected = statisticsOf({ nothing: 0, manufacturring: 0, plumbings: 0, travleing: 0 });
  const words = ['nothing', 'manufacturring', 'travleing', 'plumbings'];
  expect(findMisspellings(planOf(words), inflected)).toEqual(['manufacturring', 'travleing']);
});

test('a spelling candidate is related to the written word', () => {
  const candidates = [{ written: 'ofice', lexeme: 'offic', observations: 50, descriptions: 2 }];
  const { plan, statistics } = withSpellingCandidates(
    planOf(['ofice', 'chairs']),
    statisticsOf({ ofice: 1 }),
    candidates,
  );
  expect(plan.activity.map(({ words, related }) => [words, related.map((one) => one.words)])).toEqual([
    [['ofice'], [['offic']]],
    [['chairs'], []],
  ]);
  expect(statistics.words.get('offic')).toEqual({ lexeme: 'offic', observations: 50, descriptions: 2 });
});
