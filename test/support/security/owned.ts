import { randomUUID } from 'node:crypto';
import type { Subscriber } from '../subscriber.ts';

export interface McpCall {
  readonly token: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Owned {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly usageId: number;
  readonly cursor: string | undefined;
}

const SINCE = '2020-01-01T00:00:00Z';
const DOMAINS = ['northwind1.example', 'northwind2.example', 'northwind3.example'];

const ACTIONS = [
  ['company search', 'POST', '/api/companies/search', { query: 'glass furnace', limit: 2 }],
  ['observation search', 'POST', '/api/observations/search', { query: 'glass', limit: 2 }],
  ['queued observation search', 'POST', '/api/usages', { query: 'furnace', limit: 2 }],
  ['company look-up', 'GET', `/api/companies?${DOMAINS.map((domain) => `domains[]=${domain}`).join('&')}`, undefined],
  ['company', 'GET', '/api/companies/1', undefined],
  ['observation look-up', 'POST', '/api/observations/lookup', { domains: DOMAINS, since: SINCE, limit: 2 }],
  ['diagnostic', 'POST', '/api/diagnostics', {}],
] as const;

export async function ownEverything(owner: Subscriber): Promise<readonly Owned[]> {
  return await Promise.all(
    ACTIONS.map(async ([what, method, path, json]): Promise<Owned> => {
      const key = randomUUID();
      const answer = await owner.request(method, path, { key, json });
      const usageId = Number(answer.headers.get('usage-id'));
      const { body } = answer.status === 202 ? await untilEnded(owner, usageId) : answer;
      const cursor: string | undefined = body.next_cursor ?? undefined;
      return { what, method, path, ...(json && { json }), key, usageId, cursor };
    }),
  );
}

async function untilEnded(owner: Subscriber, usageId: number) {
  for (;;) {
    const answer = await owner.poll(usageId);
    if (answer.status === 200) return answer;
    if (answer.status !== 202 && answer.status !== 429) throw new Error(JSON.stringify(answer.body));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
