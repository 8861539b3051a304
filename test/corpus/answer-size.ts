import { randomUUID } from 'node:crypto';
import { modernMessage } from '@ces/gateway/test-support/mcp-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { publicFilters } from '../lab/benches/relevance/filters.ts';
import { percentile } from '../lab/support/figures.ts';
import { createRichSubscriber } from '../support/corpus/corpus-stack.ts';
import type { Opened } from '../support/corpus/opened.ts';
import type { Subscriber } from '../support/subscriber.ts';

const LIMIT = 10;
const LIMIT_BYTES = 80_000;
const LIMIT_MS = 120_000;

export function describeAnswerSize(opened: () => Opened): void {
  describe('an answer over MCP to a client of 2026', { timeout: LIMIT_MS }, () => {
    let subscriber: Subscriber;
    beforeAll(async () => {
      subscriber = await createRichSubscriber(opened().stack);
    });

    test(`stays under ${LIMIT_BYTES} bytes for ten companies in 95 of 100 judged queries`, async () => {
      const sizes: number[] = [];
      let full = 0;
      for (const { query, filters } of opened().corpus.judged) {
        const args = { query, filters: publicFilters(filters), limit: LIMIT, request_key: randomUUID() };
        const { json, headers } = modernMessage('tools/call', { name: 'search_companies', arguments: args });
        const answer = await fetch(new URL('/mcp', opened().stack.baseUrl), {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', authorization: `Bearer ${subscriber.token}` },
          body: JSON.stringify(json),
        });
        const text = await answer.text();
        const { companies } = JSON.parse(text).result.structuredContent;
        sizes.push(Buffer.byteLength(text));
        if (companies.length === LIMIT) full += 1;
      }
      const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(sizes, share));
      console.log(
        `${sizes.length} answers, ${full} of them with ten companies: p50 ${p50}, p95 ${p95}, max ${max} bytes`,
      );
      expect(full).toBeGreaterThan(sizes.length / 2);
      expect(p95).toBeLessThan(LIMIT_BYTES);
    });
  });
}
