import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { B, idf, K1 } from '@ces/search/ranking/bm25';

/**
 * A local reranking endpoint without a model. It scores BM25 of the best passage, of the name and
 * of the whole text.
 */
export interface PassageScorer extends AsyncDisposable {
  readonly url: string;
}

const WHOLE = 0.5;
const STOP = new Set('a an and are as at by for from in is of on or that the their to which who whose with'.split(' '));

/** Counts word frequencies in `texts`. Answers have the format of `/v1/rerank`. */
export async function startPassageScorer(texts: Iterable<string>): Promise<PassageScorer> {
  const corpus = countWords(texts);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { query, documents } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const results = (documents as string[]).map((text, index) => ({
      index,
      relevance_score: scoreOf(wordsOf(query), text, corpus),
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface WordCounts {
  readonly documents: number;
  readonly withWord: ReadonlyMap<string, number>;
  readonly meanLength: number;
}

function countWords(texts: Iterable<string>): WordCounts {
  const withWord = new Map<string, number>();
  let [documents, words] = [0, 0];
  for (const text of texts) {
    const all = wordsOf(text);
    documents += 1;
    words += all.length;
    for (const word of new Set(all)) withWord.set(word, (withWord.get(word) ?? 0) + 1);
  }
  return { documents, withWord, meanLength: words / Math.max(1, documents) };
}

function scoreOf(query: readonly string[], text: string, corpus: WordCounts): number {
  const passages = text.split('\n').map(wordsOf);
  const best = Math.max(...passages.map((passage) => bm25(query, passage, corpus)));
  return best + WHOLE * bm25(query, passages.flat(), corpus);
}

function bm25(query: readonly string[], words: readonly string[], { documents, withWord, meanLength }: WordCounts) {
  const norm = K1 * (1 - B + (B * words.length) / meanLength);
  return [...new Set(query)].reduce((sum, word) => {
    const frequency = words.filter((one) => one === word).length;
    return sum + (idf(documents, withWord.get(word) ?? 0) * frequency * (K1 + 1)) / (frequency + norm);
  }, 0);
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP.has(word)).map(stem);
}

const ENDINGS = ['ings', 'ing', 'ers', 'er', 'ies', 'es', 'ed', 's', 'y', 'e'];

function stem(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 4);
  return ending ? word.slice(0, -ending.length) : word;
}
