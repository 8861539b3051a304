import { timestampMs } from '@bufbuild/protobuf/wkt';
import { B, K1 } from '@ces/search/ranking/bm25';
import MiniSearch, { type SearchResult } from 'minisearch';
import { type Engine, type FilledPeer, HITS } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { processorClock } from './processor-clock.ts';

/**
 * In-process MiniSearch with the index's BM25 instead of its BM25+, and filters on stored fields.
 */
export async function fillMiniSearch(record: GeneratedRecord): Promise<FilledPeer> {
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
    hasContext: false,
    async ask(words, { since, kind, country }) {
      const found = index.search(words.join(' '), {
        filter: (hit) =>
          (since === undefined || hit.occurred >= since.getTime()) &&
          (kind === undefined || hit.kind === kind) &&
          (country === undefined || hit.country === country),
      });
      const best = () => found.toSorted((a, b) => bm25Of(b) - bm25Of(a)).slice(0, HITS);
      return { ids: () => best().map((hit) => hit.id) };
    },
  };
  return {
    engines: [engine],
    bytes: Math.max(0, process.memoryUsage().rss - before),
    clock: processorClock(),
    async [Symbol.asyncDispose]() {
      index.removeAll();
    },
  };
}

/** MiniSearch multiplies the sum of term scores by the number of matched terms. */
function bm25Of({ score, queryTerms }: SearchResult): number {
  return score / Math.max(1, queryTerms.length);
}
