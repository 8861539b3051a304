import { create } from '@bufbuild/protobuf';
import { PlanSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { expect, test } from 'vitest';
import { doubtedWords, spellingsNear, withNearWords } from './spelling.ts';

const COUNTED = 100;
const CORPUS = { documents: COUNTED, meanLength: 10 };

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
  const near = spellingsNear('ofice');
  expect(near).toEqual(expect.arrayContaining(['office', 'ofce', 'ofiec', 'ofime']));
  for (const other of ['ofice', 'fice', 'afice', 'offfice']) expect(near).not.toContain(other);
  expect(spellingsNear('a'.repeat(20)).length).toBeLessThan(1100);
});

test('doubted are words that the record hardly knows, three at most', () => {
  const statistics = statisticsOf({ ofice: 1, office: 50, abc: 1, model3: 1, furnture: 0, seatng: 0, cheirs: 0 });
  expect(doubtedWords(planOf(['ofice', 'office', 'abc', 'model3', 'the']), statistics, COUNTED)).toEqual(['ofice']);
  expect(doubtedWords(planOf(['ofice', 'furnture', 'seatng', 'cheirs']), statistics, COUNTED)).toHaveLength(3);
  expect(doubtedWords(planOf(['ofice'], ['ofice seats']), statistics, COUNTED)).toEqual([]);
  const inflected = statisticsOf({ nothing: 0, manufacturring: 0, plumbings: 0, travleing: 0 });
  const words = ['nothing', 'manufacturring', 'travleing', 'plumbings'];
  expect(doubtedWords(planOf(words), inflected, COUNTED)).toEqual(['manufacturring', 'travleing']);
});

test('no word is doubted where a sample alone is counted: it may be a name that the sample lacks', () => {
  const sampled = { ...statisticsOf({ ofice: 1 }), observations: { documents: COUNTED + 1, meanLength: 10 } };
  expect(doubtedWords(planOf(['ofice']), sampled, COUNTED)).toEqual([]);
});

test('a near word stands beside the written one as something related', () => {
  const near = [{ written: 'ofice', lexeme: 'offic', observations: 50, descriptions: 2 }];
  const { plan, statistics } = withNearWords(planOf(['ofice', 'chairs']), statisticsOf({ ofice: 1 }), near);
  expect(plan.activity.map(({ words, related }) => [words, related.map((one) => one.words)])).toEqual([
    [['ofice'], [['offic']]],
    [['chairs'], []],
  ]);
  expect(statistics.words.get('offic')).toEqual({ lexeme: 'offic', observations: 50, descriptions: 2 });
});
