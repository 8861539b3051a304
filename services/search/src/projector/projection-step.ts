import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@ces/chassis/telemetry/log';
import { readObservations } from '../changes/read-documents.ts';
import type { LostPosition } from '../changes/read-page.ts';
import type { FeedState } from '../index/observation-index.ts';
import { applyChanges, type Reader } from './apply-changes.ts';

export interface ProjectionContext extends Reader {
  readonly logger: Logger;
}

/** A rebuild gets fewer pages, so that new evidence is not delayed. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/** Longer statistics and maintenance continue in the background. */
const STATISTICS_WAIT_MS = 250;

/** Applies new changes first, then some pages of a rebuild. Returns true if more is ready. */
export async function runProjectionStep(stepper: ProjectionContext): Promise<boolean> {
  const feed = await stepper.index.feedState();
  const live = await applyChanges(stepper, { feed: 'live', at: feed.live, complete: feed.complete }, LIVE_PAGES);
  if (typeof live === 'object') return await restart(stepper, live);
  await Promise.race([Promise.all([renewStatistics(stepper), maintain(stepper)]), pause(STATISTICS_WAIT_MS)]);
  const { index, lookup, fence } = stepper;
  const hasVectors = (await index.applyVectors?.((ids) => readObservations(lookup, ids), fence)) ?? false;
  const hasMore = hasVectors || live === 'more';
  if (!feed.rebuilding) return (await rebuildOutdated(stepper, feed)) || hasMore;
  const rebuilt = await applyChanges(stepper, { feed: 'rebuild', at: feed.rebuild, complete: false }, REBUILD_PAGES);
  if (typeof rebuilt === 'object') return await restart(stepper, rebuilt);
  if (rebuilt === 'more') return true;
  await finishRebuild(stepper);
  return hasMore;
}

/** The index may hold rows that the record lacks, and ids are reused. */
async function restart({ index, fence, logger }: ProjectionContext, { to }: LostPosition): Promise<boolean> {
  const { live } = await index.feedState();
  const restarted = await index.restart(live, to, fence);
  if (restarted)
    logger.warn({ from: live?.epoch, to: to.epoch }, 'the record has another history: rebuilding the index from it');
  return true;
}

async function rebuildOutdated({ index, logger }: ProjectionContext, { outdated }: FeedState): Promise<boolean> {
  if (!outdated) return false;
  const begun = await index.beginRebuild();
  if (begun) logger.info('the text analysis has a newer version: rebuilding the index beside the one that is searched');
  return begun;
}

async function finishRebuild({ index, fence, logger }: ProjectionContext): Promise<void> {
  if (await index.finishRebuild(fence)) logger.info('index rebuilt');
}

async function renewStatistics({ index, logger }: ProjectionContext): Promise<void> {
  try {
    await index.refreshStatistics();
  } catch (error) {
    logger.warn({ err: error }, 'words were not counted; ranking goes on with older counts');
  }
}

async function maintain({ index, logger }: ProjectionContext): Promise<void> {
  try {
    await index.maintain();
  } catch (error) {
    logger.warn({ err: error }, 'partitions were not maintained; tried again later');
  }
}
