import { setTimeout as pause } from 'node:timers/promises';
import type { BellQueue, Broker } from '@ces/chassis/jetstream';
import type { Logger } from '@ces/chassis/log';
import type { Pool } from '@ces/chassis/postgres';
import { isTransient } from '@ces/chassis/rpc-error';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { IndexBatch, ObservationIndex } from '../index/observation-index.ts';
import { type Leadership, takeLead } from './leadership.ts';
import { readChanges } from './read-changes.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  readonly bells: BellQueue;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  /** Looks at once instead of at the next second; without effect where another replica projects. */
  wake(): void;
}

const LOOK_EVERY_MS = 1_000;

/** Follows the change list into the index: one replica at a time, when rung and every second. */
export function startProjector(options: ProjectorOptions): Projector {
  const closing = new AbortController();
  let waking = new AbortController();
  const wake = () => waking.abort();
  const rest = async () => {
    await pause(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([closing.signal, waking.signal]) }).catch(
      () => undefined,
    );
    waking = new AbortController();
  };
  const loop = (async () => {
    while (!closing.signal.aborted) {
      const lead = await takeLead(options.pool).catch(() => undefined);
      if (lead) await project({ ...options, lead, wake, rest, closing: closing.signal });
      else await rest();
    }
  })();
  return {
    wake,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await loop;
    },
  };
}

interface Projection extends ProjectorOptions {
  readonly lead: Leadership;
  readonly wake: () => void;
  readonly rest: () => Promise<void>;
  readonly closing: AbortSignal;
}

async function project(projection: Projection): Promise<void> {
  const { broker, bells, lead, logger, index } = projection;
  logger.info('projecting the record into the index');
  await using _lead = lead;
  await using _bells = broker.answer(bells, 1, async () => {
    projection.wake();
    return { kind: 'done' };
  });
  while (!projection.closing.aborted && (await lead.holds())) {
    try {
      const more = await takeStep(projection);
      await index.refreshStatistics();
      if (!more) await projection.rest();
    } catch (error) {
      logger[isTransient(error) ? 'warn' : 'error']({ err: error }, 'projecting interrupted; trying on');
      await projection.rest();
    }
  }
}

/** One page of the live list, and one of a rebuild if there is one; true when there is more to do at once. */
async function takeStep({ index, lookup, logger }: Projection): Promise<boolean> {
  const feed = await index.feedState();
  const live = await readChanges(lookup, 'live', feed.live);
  if (live && movesOn(live, feed.live, feed.complete)) await index.apply(live);
  if (!feed.rebuilding) return live !== undefined && !live.stretch.complete;
  const again = await readChanges(lookup, 'rebuild', feed.rebuild);
  if (again && movesOn(again, feed.rebuild, false)) await index.apply(again);
  if (again && !again.stretch.complete) return true;
  await index.finishRebuild();
  logger.info('index rebuilt');
  return false;
}

function movesOn({ stretch }: IndexBatch, at: ChangePosition | undefined, complete: boolean): boolean {
  return stretch.to.tx !== at?.tx || stretch.to.seq !== at.seq || stretch.complete !== complete;
}
