import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { FeedState } from '../index/observation-index.ts';
import { applyChanges, type Reader } from './apply-changes.ts';
import { leadsIndex } from './partitions.ts';
import type { LostPosition } from './read-changes.ts';

/**
 * Applies one partition of the change list. The holder of the first partition also does work on the
 * whole index.
 */
export interface Stepper extends Reader {
  readonly logger: Logger;
}

/** A step reads this many pages. A rebuild gets fewer, so that new evidence is not delayed. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/**
 * Statistics and maintenance delay new evidence by at most this many milliseconds. Longer work
 * continues in the background.
 */
const STATISTICS_WAIT_MS = 250;

/** Applies new changes first, then some pages of a rebuild. Returns true if more is ready. */
export async function takeStep(stepper: Stepper): Promise<boolean> {
  const { index, partition } = stepper;
  const feed = await index.partitionState(partition);
  if (!feed) return await repartition(stepper);
  const live = await applyChanges(stepper, { feed: 'live', at: feed.live, complete: feed.complete }, LIVE_PAGES);
  if (typeof live === 'object') return await restart(stepper, live);
  await Promise.race([Promise.all([renewStatistics(stepper), maintain(stepper)]), pause(STATISTICS_WAIT_MS)]);
  if (!feed.rebuilding) return (await rebuildOutdated(stepper, feed)) || live === 'more';
  const rebuilt = await applyChanges(stepper, { feed: 'rebuild', at: feed.rebuild, complete: false }, REBUILD_PAGES);
  if (typeof rebuilt === 'object') return await restart(stepper, rebuilt);
  if (rebuilt === 'more') return true;
  await finishRebuild(stepper);
  return live === 'more';
}

/**
 * Splits the change list into the configured number of partitions. Holders of other partitions wait
 * and report no lag: the first partition reports for the index.
 */
async function repartition({ index, partition, fence, logger }: Stepper): Promise<boolean> {
  if (!leadsIndex(partition)) return false;
  await index.repartition(partition.of, fence);
  logger.info({ partitions: partition.of }, 'partitions share the change list from where the index is');
  return true;
}

/**
 * After a restore or a lost tail, the index may hold rows that the record lacks, and ids are
 * reused.
 */
async function restart({ index, partition, fence, logger }: Stepper, { to }: LostPosition): Promise<boolean> {
  if (!leadsIndex(partition)) return false;
  const { live } = await index.feedState();
  const restarted = await index.restart(live, to, fence);
  if (restarted)
    logger.warn({ from: live?.epoch, to: to.epoch }, 'the record has another history: rebuilding the index from it');
  return true;
}

async function rebuildOutdated({ index, partition, logger }: Stepper, { outdated }: FeedState): Promise<boolean> {
  if (!outdated || !leadsIndex(partition)) return false;
  const begun = await index.beginRebuild();
  if (begun) logger.info('the text analysis has a newer version: rebuilding the index beside the one that is searched');
  return begun;
}

/**
 * Each partition ends on its own. The holder of the first partition checks whether all have ended.
 */
async function finishRebuild({ index, partition, fence, logger }: Stepper): Promise<void> {
  if (leadsIndex(partition) && (await index.finishRebuild(fence))) logger.info('index rebuilt');
}

async function renewStatistics({ index, logger }: Stepper): Promise<void> {
  try {
    await index.refreshStatistics();
  } catch (error) {
    logger.warn({ err: error }, 'words were not counted; ranking goes on with older counts');
  }
}

async function maintain({ index, partition, logger }: Stepper): Promise<void> {
  if (!leadsIndex(partition)) return;
  try {
    await index.maintain();
  } catch (error) {
    logger.warn({ err: error }, 'partitions were not maintained; tried again later');
  }
}
