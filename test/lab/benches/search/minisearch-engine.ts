import { timestampMs } from '@bufbuild/protobuf/wkt';
import { B, K1 } from '@ces/search/ranking/bm25';
import MiniSearch, { type SearchResult } from 'minisearch';
import { type Engine, HITS } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';

/** MiniSearch in this process, with the BM25 of the index instead of its BM25+, filters on what it stores beside. */
export async function fillMiniSearch(record: GeneratedRecord): Promise<{ engine: Engine; bytes: number }> {
  const before = process.memoryUsage().rss;
  const index = new MiniSearch({
    fields: ['text'],
    storeFields: ['kind', 'country', 'occurred'],
    searchOptions: { bm25: { k: K1, b: B, d: 0 } },
  });
  for (let at = 0; at < record.observations; at += 1) {
    const { id, observedFact, kind, country, occurredAt } = record.observation(at);
    index.add({
      id: Number(id),
      text: observedFact,
      kind,
      country,
      occurred: occurredAt ? timestampMs(occurredAt) : 0,
    });
  }
  const engine: Engine = {
    name: 'MiniSearch',
    async ask(words, { since, kind, country }) {
      const found = index.search(words.join(' '), {
        filter: (hit) =>
          (since === undefined || hit.occurred >= since.getTime()) &&
          (kind === undefined || hit.kind === kind) &&
          (country === undefined || hit.country === country),
      });
      return () =>
        found
          .toSorted((a, b) => bm25Of(b) - bm25Of(a))
          .slice(0, HITS)
          .map((hit) => hit.id);
    },
    async [Symbol.asyncDispose]() {
      index.removeAll();
    },
  };
  return { engine, bytes: Math.max(0, process.memoryUsage().rss - before) };
}

/** MiniSearch multiplies the sum of its terms by how many of them were found. */
function bm25Of({ score, queryTerms }: SearchResult): number {
  return score / Math.max(1, queryTerms.length);
}
