import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Subscriber } from './subscriber.ts';

export interface Known {
  readonly companyId: number;
  readonly hostname: string;
  readonly observationId: number;
}

const SINCE = '2020-01-01T00:00:00Z';
const NOBODY = 'nobody-knows-it.example';

/**
 * Makes every read that must never cause a call to a source, of known and unknown data. These are
 * look-ups over REST and MCP, their replays, polls, and observation searches that find nothing.
 */
export async function lookUpEverything(
  caller: Pick<Subscriber, 'lookUp' | 'request' | 'poll'>,
  { companyId, hostname, observationId }: Known,
): Promise<Answer[]> {
  const post = (path: string, json: unknown, key: string = randomUUID()) => caller.request('POST', path, { json, key });
  const [replayed, searched] = [randomUUID(), randomUUID()];
  const answers = [
    await caller.lookUp({ ids: [companyId, 999_999] }),
    await caller.lookUp({ domains: [hostname, NOBODY] }, replayed),
    await caller.lookUp({ domains: [hostname, NOBODY] }, replayed),
    await caller.request('GET', `/api/companies/${companyId}`, { key: randomUUID() }),
    await caller.request('GET', `/api/observations/${observationId}`),
    await caller.request('GET', `/api/observations?domains[]=${hostname}&since=${SINCE}`, { key: randomUUID() }),
    await post('/api/observations/lookup', { domains: [hostname, NOBODY], since: SINCE }),
    await callTool(caller, { ids: [companyId] }),
    await callTool(caller, { domains: [NOBODY] }),
    await post('/api/observations/search', { query: 'quartzite zeppelin mooring' }, searched),
    await post('/api/observations/search', { query: 'quartzite zeppelin mooring' }, searched),
  ];
  const background = await post('/api/usages', { query: 'quartzite zeppelin hangar' });
  const poll = () => caller.poll(background.body.usage.id);
  await expect.poll(async () => (await poll()).status).toBe(200);
  answers.push(background, await poll());
  for (const { status, body } of answers) expect([status, body.error]).toEqual([expect.any(Number), undefined]);
  return answers;
}

function callTool(caller: Pick<Subscriber, 'request'>, inputs: Readonly<Record<string, unknown>>): Promise<Answer> {
  return caller.request('POST', '/mcp', {
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_companies', arguments: { ...inputs, request_key: randomUUID() } },
    },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
}
