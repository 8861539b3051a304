import { expect, test } from 'vitest';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import { cacheVectors } from './cache-vectors.ts';

const signal = new AbortController().signal;

function counting(lengthOf: (text: string) => number) {
  const asked: (readonly string[])[] = [];
  const embedder = {
    embed: async (texts: readonly string[]) => {
      asked.push(texts);
      return texts.map((text) => new Float32Array(lengthOf(text)).fill(text.length));
    },
  };
  return { asked, embedder: cacheVectors(embedder) };
}

test('a text is asked for once, whatever the order, and twice the same text once', async () => {
  const { asked, embedder } = counting(() => 2);
  await embedder.embed(['a', 'bb', 'a'], signal);
  const vectors = await embedder.embed(['bb', 'ccc', 'a'], signal);
  expect(asked).toEqual([['a', 'bb'], ['ccc']]);
  expect(vectors.map(([first]) => first)).toEqual([2, 3, 1]);
});

test('a model that changes the length of its vectors fails once and is asked anew', async () => {
  let length = 2;
  const { asked, embedder } = counting(() => length);
  await embedder.embed(['a'], signal);
  length = 3;
  await expect(embedder.embed(['a', 'b'], signal)).rejects.toThrow(EndpointFailure);
  expect(await embedder.embed(['a', 'b'], signal)).toHaveLength(2);
  expect(asked.at(-1)).toEqual(['a', 'b']);
});
