import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { FeedState } from '../index/observation-index.ts';
import { applyChanges, type Reader } from './apply-changes.ts';
import { leadsIndex } from './parts.ts';
import type { LostPosition } from './read-changes.ts';

/** One that applies a part of the change list, and whoever has the first part also does what concerns the whole index. */
export interface Stepper extends Reader {
  readonly logger: Logger;
}

/** Pages in one go, so that a rebuild leaves room for what is new. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/** How long new evidence may wait while words are counted and partitions are maintained; a large count goes on meanwhile. */
const STATISTICS_WAIT_MS = 250;

/** What is new first, then some pages of a rebuild if there is one; true when there is more to do at once. */
export async function takeStep(stepper: Stepper): Promise<boolean> {
  const { index, part } = stepper;
  const feed = await index.partState(part);
  if (!feed) return await share(stepper);
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
 * Lets as many parts share the list as are configured. Who has another part than the first waits for that, and is not behind
 * meanwhile: whoever has the first answers for the index.
 */
async function share({ index, part, fence, logger }: Stepper): Promise<boolean> {
  if (!leadsIndex(part)) return false;
  await index.share(part.of, fence);
  logger.info({ parts: part.of }, 'parts share the change list from where the index is');
  return true;
}

/** The record was restored, or lost its tail: what is indexed may not be in it any more, and numbers are given anew. */
async function restart({ index, part, fence, logger }: Stepper, { to }: LostPosition): Promise<boolean> {
  if (!leadsIndex(part)) return false;
  const { live } = await index.feedState();
  const restarted = await index.restart(live, to, fence);
  if (restarted)
    logger.warn({ from: live?.epoch, to: to.epoch }, 'the record has another history: index made anew from it');
  return true;
}

/** Makes an index anew that an earlier version of the analysis of texts has written; true when that has begun. */
async function rebuildOutdated({ index, part, logger }: Stepper, { outdated }: FeedState): Promise<boolean> {
  if (!outdated || !leadsIndex(part)) return false;
  const begun = await index.beginRebuild();
  if (begun) logger.info('texts are analysed in a newer way: index made anew beside the one that is searched');
  return begun;
}

/** Of several parts each comes to its end; whoever has the first looks whether all have. */
async function finishRebuild({ index, part, fence, logger }: Stepper): Promise<void> {
  if (leadsIndex(part) && (await index.finishRebuild(fence))) logger.info('index rebuilt');
}

async function renewStatistics({ index, logger }: Stepper): Promise<void> {
  try {
    await index.refreshStatistics();
  } catch (error) {
    logger.warn({ err: error }, 'words were not counted; ranking goes on with older counts');
  }
}

async function maintain({ index, part, logger }: Stepper): Promise<void> {
  if (!leadsIndex(part)) return;
  try {
    await index.maintain();
  } catch (error) {
    logger.warn({ err: error }, 'partitions were not maintained; tried again later');
  }
}
