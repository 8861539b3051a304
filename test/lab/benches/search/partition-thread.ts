import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { FeedPartition, FeedRange } from '@ces/search/index/observation-index';
import { ownsId } from '@ces/search/projector/partitions';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { openIndex } from '../../support/search-engine.ts';
import { BATCH, writtenUpTo } from './fill.ts';
import { generateRecord } from './generated-record.ts';
import { positionAt } from './positions.ts';

/** The documents of one partition, as one of several projectors writes them. */
export interface PartitionShare {
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly partition: FeedPartition;
  readonly feed: FeedRange['feed'];
  readonly observations: number;
  readonly now: Date;
  readonly fence: bigint;
}

/** Retries an overloaded engine as the projector does: consecutive failures and delay. */
const FAILURES = 30;
const AGAIN_AFTER_MS = 1_000;

await write(workerData as PartitionShare);

async function write({
  databaseUrl,
  settings,
  partition,
  feed,
  observations,
  now,
  fence,
}: PartitionShare): Promise<void> {
  const logger = createLogger('search', 'error');
  const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'search bench', logger });
  await using resources = new AsyncDisposableStack();
  resources.defer(() => pool.end());
  const { index } = resources.use(await openIndex({ settings }, { databaseUrl, pool, vocabulary: loadVocabulary() }));
  const record = generateRecord(observations, now);
  /*
   * Reads more of the list when partitions share it, so that each batch of a partition has the same
   * size.
   */
  const step = BATCH * partition.of;
  for (let failures = 0; ; ) {
    const state = await index.partitionState(partition);
    if (!state) throw new Error(`the list is not shared by ${partition.of} partitions`);
    const from = feed === 'live' ? state.live : state.rebuild;
    const at = writtenUpTo(from);
    if (at >= observations) return;
    const mine = Array.from({ length: step }, (_, offset) => at + offset).filter((one) =>
      ownsId(partition, BigInt(one + 1)),
    );
    const batch = {
      observations: mine.filter((one) => one < observations).map(record.observation),
      companies: mine.filter((one) => one < record.companies).map(record.company),
    };
    const to = positionAt(at + step - BATCH + 1);
    try {
      await index.apply({ ...batch, range: { feed, partition, from, to, complete: at + step >= observations } }, fence);
    } catch (error) {
      failures += 1;
      if (failures === FAILURES) throw error;
      await pause(AGAIN_AFTER_MS);
      continue;
    }
    failures = 0;
    parentPort?.postMessage(batch.observations.length);
  }
}
