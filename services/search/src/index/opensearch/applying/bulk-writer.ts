import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import type { EngineMeter } from '../client/engine-meter.ts';
import { busy, isBusy, isTransientStatus, unavailable } from '../client/failures.ts';
import type { IndexedDocument } from './documents.ts';

/** A request has at most this many bytes, unless one document is larger. */
const BODY_BYTES = 5 * 1024 * 1024;
/** Attempts while OpenSearch is busy: up to 8 s with the pauses. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;
/** A request may take REQUEST_MS, but waits only briefly for an unavailable shard. */
const REQUEST_MS = 30_000;
const SHARD_WAIT = '2s';

export interface BulkTarget {
  readonly client: Client;
  readonly meter: EngineMeter;
  readonly alias: string;
  readonly replacesSame?: boolean;
}

interface ItemResult {
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/**
 * Keeps documents of the same or a higher version. Throws `unavailable` after retries, or another
 * error for a refusal; some documents may be written then.
 */
export async function writeDocuments(target: BulkTarget, documents: readonly IndexedDocument[]): Promise<void> {
  for (const part of partsOf(documents)) await writePart(target, part);
}

function* partsOf(documents: readonly IndexedDocument[]): Generator<readonly IndexedDocument[]> {
  let part: IndexedDocument[] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(linesOf(document, false));
    if (part.length > 0 && bytes + size > BODY_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(document);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

async function writePart(target: BulkTarget, part: readonly IndexedDocument[]): Promise<void> {
  let left = part;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    left = await send(target, left);
    if (left.length === 0) return;
    if (attempt < ATTEMPTS) await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
  throw unavailable(
    `OpenSearch was too busy to take ${left.length} documents for ${target.alias} in ${ATTEMPTS} attempts`,
  );
}

async function send(
  { client, meter, alias, replacesSame = false }: BulkTarget,
  documents: readonly IndexedDocument[],
): Promise<readonly IndexedDocument[]> {
  const request = {
    index: alias,
    require_alias: true,
    timeout: SHARD_WAIT,
    filter_path: 'items.*.status,items.*.error.type,items.*.error.reason',
    body: documents.map((document) => linesOf(document, replacesSame)).join(''),
  } as unknown as Parameters<Client['bulk']>[0];
  let left = documents;
  try {
    await meter.time('bulk', async () => {
      const { body } = await client.bulk(request, { requestTimeout: REQUEST_MS });
      const results = body.items.map((item) => Object.values(item)[0] as ItemResult);
      left = leftOf(alias, documents, results);
      if (left.length > 0) throw busy(`POST /${alias}/_bulk`, 429);
    });
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
  return left;
}

function leftOf(
  alias: string,
  documents: readonly IndexedDocument[],
  results: readonly ItemResult[],
): readonly IndexedDocument[] {
  if (results.length !== documents.length)
    throw new Error(`OpenSearch answered for ${results.length} of ${documents.length} documents for ${alias}`);
  const refused = results.findIndex((result) => !isWritten(result) && !isTransientStatus(result.status));
  if (refused >= 0) {
    const { status, error } = results[refused] as ItemResult;
    throw new Error(
      `OpenSearch refused document ${documents[refused]?.id} for ${alias} (${status} ${error?.type}): ${error?.reason?.slice(0, 300)}`,
    );
  }
  return documents.filter((_, at) => !isWritten(results[at] as ItemResult));
}

/** A version conflict means that the same or a higher version exists. */
function isWritten({ status, error }: ItemResult): boolean {
  return status < 300 || (status === 409 && error?.type === 'version_conflict_engine_exception');
}

function linesOf({ id, version, source }: IndexedDocument, replacesSame: boolean): string {
  const replaces = replacesSame ? 'external_gte' : 'external';
  return `{"index":{"_id":"${id}","version":${version},"version_type":"${replaces}"}}\n${source}\n`;
}
