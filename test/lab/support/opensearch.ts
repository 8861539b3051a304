import { randomBytes } from 'node:crypto';
import { Refusal } from '@ces/cli/refusal';

/** An external OpenSearch server, and the indexes of one run on it. */
export interface OpenSearchIndices extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
  /** Process id of the responding node, if it is local. */
  readonly pid: number | undefined;
  /** Withdraws observations with ids above a number. */
  forget(above: number): Promise<void>;
}

const ADDRESS = 'CES_LAB_OPENSEARCH_URL';
/** Covers the deletion of everything that a run added. */
const TIMEOUT_MS = 120_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function openSearchAddress(given: string | undefined): string | undefined {
  return given || process.env[ADDRESS] || undefined;
}

/** Uses persistent indexes named after `kept`, or random names that disposal deletes. */
export async function openOpenSearch(given: string | undefined, kept?: string): Promise<OpenSearchIndices> {
  const url = openSearchAddress(given);
  if (!url) throw new Refusal(`No OpenSearch is known: name its address by --opensearch or ${ADDRESS}.`);
  const prefix = kept ? `lab-${kept}-` : `lab-${randomBytes(4).toString('hex')}-`;
  const [node = ''] = url.split(',');
  const ask = <T>(method: string, path: string, body?: unknown) => askOpenSearch<T>(node, method, path, body);
  const pid = LOOPBACK.test(new URL(node).hostname) ? await processOf(ask) : undefined;
  return {
    settings: {
      CES_SEARCH_ENGINE: 'opensearch',
      CES_SEARCH_OPENSEARCH_URL: url,
      CES_SEARCH_OPENSEARCH_PREFIX: prefix,
    },
    pid,
    async forget(above) {
      const query = { range: { observation_id: { gt: above } } };
      await ask('POST', `/${prefix}observation/_delete_by_query?refresh=true&conflicts=proceed`, { query });
    },
    async [Symbol.asyncDispose]() {
      if (kept) return;
      const indices = await ask<{ index: string }[]>('GET', `/_cat/indices/${prefix}*?format=json&h=index`);
      for (const { index } of indices) await ask('DELETE', `/${index}`);
    },
  };
}

async function processOf(ask: <T>(method: string, path: string) => Promise<T>): Promise<number | undefined> {
  const { nodes } = await ask<{ nodes: Record<string, { process: { id: number } }> }>('GET', '/_nodes/_local/process');
  return Object.values(nodes)[0]?.process.id;
}

async function askOpenSearch<T>(node: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(new URL(path, node), {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Refusal(`OpenSearch answers ${method} ${path} with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
