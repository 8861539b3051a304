import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { expect, test } from 'vitest';
import { idf } from './bm25.ts';
import { weighTerms } from './weigh-terms.ts';

const DOCUMENTS = 1000;
const FREQUENCIES: Readonly<Record<string, number>> = {
  chip: 60,
  semiconductor: 40,
  integrated: 30,
  circuit: 20,
  rubbish: 2,
  dump: 8,
  refuse: 20,
  landfill: 200,
  waste: 600,
};

function weigh(init: MessageInitShape<typeof TermSchema>) {
  return weighTerms([create(TermSchema, init)], DOCUMENTS, (word) => {
    const documents = FREQUENCIES[word];
    return documents === undefined ? undefined : { lexeme: `${word}_`, documents };
  });
}

test('the weight of a word is its idf', () => {
  const [term] = weigh({ words: ['chip'], weight: 2, text: 'Chips' });
  expect(term).toEqual({
    text: 'Chips',
    words: ['chip'],
    documents: 60,
    namesKinds: [],
    supportsKinds: [],
    alternatives: [{ phrases: [['chip_']], weight: 2 * idf(DOCUMENTS, 60), documents: 60 }],
  });
});

test('alternatives of a word count as one word with its own frequency, a phrase as often as its rarest word', () => {
  const related = [
    { words: ['semiconductor'], weight: 0.35 },
    { words: ['integrated', 'circuit'], weight: 0.35 },
  ];
  const [term] = weigh({ words: ['chip'], weight: 1, related });
  expect(term?.alternatives[1]).toEqual({
    phrases: [['semiconductor_'], ['integrated_', 'circuit_']],
    weight: 0.35 * idf(DOCUMENTS, 60),
    documents: 60,
  });
  expect(term?.documents).toBe(120);
});

test('a related word weighs more the rarer the main word is compared to it, at most twice, and never less', () => {
  const weightBeside = (words: string[], related: string) => {
    const phrases = [...(words.length > 1 ? [{ words, weight: 0.35 }] : []), { words: [related], weight: 0.35 }];
    const [term] = weigh({ words: words.length > 1 ? [] : words, weight: 1, related: phrases });
    const alternative = term?.alternatives.at(-1);
    return (alternative?.weight ?? 0) / idf(DOCUMENTS, alternative?.documents ?? 0);
  };
  expect(weightBeside(['rubbish'], 'landfill')).toBeCloseTo(0.7);
  expect(weightBeside(['rubbish'], 'waste')).toBeCloseTo(0.7);
  expect(weightBeside(['rubbish'], 'refuse')).toBeCloseTo(0.35 * 1.5);
  expect(weightBeside(['chip'], 'refuse')).toBeCloseTo(0.35);
  expect(weightBeside(['rubbish', 'dump'], 'landfill')).toBeCloseTo(0.7);
});

test('a word that the index leaves out is not a term, and removes its phrase', () => {
  expect(weigh({ words: ['the'], weight: 1 })).toEqual([]);
  expect(weigh({ words: [], weight: 1, related: [{ words: ['chip', 'up'], weight: 0.35 }] })).toEqual([]);
});
