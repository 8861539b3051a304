import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Client } from '@opensearch-project/opensearch';
import { endRebuild, FeedMoved } from '../../feed/feed.ts';
import { unavailable } from '../client/failures.ts';
import { dropOlderGenerations, serveGeneration } from '../indices/generations.ts';
import { CORPORA, indexName } from '../indices/names.ts';
import { refreshIndices } from '../indices/refresh.ts';
import { applyRebuildKeptFrom, FEED } from '../state/feed-row.ts';
import { lossOf, readIndexState } from '../state/index-state.ts';
import { type IndexContext, repairIndex } from '../state/repair.ts';

/** Waiting for shard copies ends after this many milliseconds, because it delays new evidence. */
const GREEN_MS = 20_000;
const ANSWER_MS = 5_000;

/**
 * Switches searches to the rebuilt generation; idempotent. Returns false without a rebuild, under a
 * higher fence token, or if the rebuilt index was lost and restarts.
 */
export async function finishRebuilding(context: IndexContext, fence: bigint): Promise<boolean> {
  const found = await readIndexState(context.pool, context);
  if (!found.row.rebuilding || found.row.fence > fence) return false;
  const loss = lossOf(found);
  const hasLost = loss === 'index' || (loss === 'rebuild' && found.row.rebuild !== undefined);
  const { row, generations } = await repairIndex(context, found, fence);
  if (hasLost) return false;
  await makeReady(context, row.generation);
  const isDone = await inTransaction(context.pool, async (db) => {
    const generation = await endRebuild(db, FEED, fence);
    if (generation === undefined) return false;
    if (generation !== row.generation) throw new FeedMoved('another rebuild has begun');
    await applyRebuildKeptFrom(db);
    await serveGeneration(context, generations, generation);
    return true;
  });
  if (isDone) await dropOlderGenerations(context, row.generation);
  return isDone;
}

function namesOf({ prefix }: IndexContext, generation: number): string[] {
  return CORPORA.map((corpus) => indexName(prefix, corpus, generation));
}

async function makeReady(context: IndexContext, generation: number): Promise<void> {
  const { client, replicas } = context;
  const index = namesOf(context, generation);
  await refreshIndices(context, index);
  await client.indices.putSettings({ index, body: { index: { number_of_replicas: replicas } } });
  await waitForShards(client, index);
}

/** Missing replicas are acceptable; a missing shard is not. */
async function waitForShards(client: Client, index: string[]): Promise<void> {
  const { body } = await client.cluster.health(
    { index, wait_for_status: 'green', timeout: `${GREEN_MS}ms` },
    { requestTimeout: GREEN_MS + ANSWER_MS, ignore: [408] },
  );
  if (body.status === 'red') throw unavailable(`a shard of ${index.join(' or ')} is away`);
}
