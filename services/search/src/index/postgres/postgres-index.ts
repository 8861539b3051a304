import { timestampDate } from '@bufbuild/protobuf/wkt';
import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import { analyseObservation, analyseProfile } from '../../text/analyse.ts';
import { wordsOf } from '../../text/words.ts';
import type { IndexBatch, ObservationIndex } from '../observation-index.ts';
import { applyCompanies } from './applying/apply-companies.ts';
import { applyObservations, type ObservationRow } from './applying/apply-observations.ts';
import { advanceFeed, beginRebuild, finishRebuild, readFeed } from './applying/feed.ts';
import { findLiterally } from './find-literally.ts';
import { bucketOf, isOlder, makeBuckets, readHorizon } from './partitions/partitions.ts';
import { createWordLists } from './partitions/pending-lists.ts';
import { keepBuckets, readKeptFrom, resetKeptFrom } from './partitions/retention.ts';
import { rank, type SearchSettings } from './rank.ts';
import { everySoOften, once, remembered } from './repetition.ts';
import { readLexemes, readSizes } from './statistics/read-statistics.ts';
import { readSize } from './statistics/size.ts';
import { createStatisticsKeeper } from './statistics/statistics-keeper.ts';

export interface PostgresIndexOptions extends SearchSettings {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Codes of states and provinces with their names. */
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Months of events that stay indexed; all when it is 0 or left out. */
  readonly keptMonths?: number;
}

/** Longer than any search: what a run declares too old goes with the next. */
const UPKEEP_EVERY_MS = 600_000;
/** How long another process's count of words may go unseen. */
const SIZES_FOR_MS = 5_000;

/** Another reader has moved the feed meanwhile; whoever sees this is not the only projector. */
export class FeedMoved extends Error {
  override readonly name = 'FeedMoved';
}

/** The index on stock Postgres: partitions by month, GIN, BM25 from `ts_rank` (search.md, Postgres adapter). */
export function createPostgresIndex(options: PostgresIndexOptions): ObservationIndex {
  const { pool, clock } = options;
  const horizonOf = once(() => readHorizon(pool));
  const sizes = remembered(clock, SIZES_FOR_MS, () => readSizes(pool));
  const searchContext = async () => ({
    ...options,
    horizon: await horizonOf(),
    now: clock.now(),
    sizes: await sizes.get(),
  });
  const madeBuckets = new Set<string>();
  const statistics = createStatisticsKeeper(pool);
  const wordLists = createWordLists(pool);
  const upkeepContext = async () => ({
    horizon: await horizonOf(),
    now: clock.now(),
    keptMonths: options.keptMonths ?? 0,
  });
  const keepUp = everySoOften(clock, UPKEEP_EVERY_MS, async () => {
    await keepBuckets(pool, await upkeepContext());
    madeBuckets.clear();
    sizes.forget();
  });

  async function apply(batch: IndexBatch): Promise<void> {
    const now = clock.now();
    const horizon = await horizonOf();
    const keptFrom = await readKeptFrom(pool);
    const observations: ObservationRow[] = batch.observations.map((document) => {
      const bucket = bucketOf(document.kind, document.occurredAt && timestampDate(document.occurredAt), horizon, now);
      const isGone = keptFrom !== undefined && isOlder(bucket, keptFrom);
      return {
        document: isGone ? { ...document, tombstone: true } : document,
        bucket,
        text: analyseObservation(document, options.placeCodes),
      };
    });
    const companies = batch.companies.map((document) => ({
      document,
      text: analyseProfile(document, options.placeCodes),
      nameWords: wordsOf(document.name).join(' '),
    }));
    const written = observations.filter((row) => !row.document.tombstone).map((row) => row.bucket);
    const missing = [...new Set(written)].filter((bucket) => !madeBuckets.has(bucket));
    await makeBuckets(pool, missing);
    await inTransaction(pool, async (client) => {
      const generation = await advanceFeed(client, batch.stretch);
      if (generation === undefined) throw new FeedMoved('the feed was moved by another projector');
      await wordLists.limitFor(client, batch.stretch);
      const round = { generation, rewrite: batch.stretch.feed === 'rebuild' };
      await applyCompanies(client, companies, round);
      await applyObservations(client, observations, round);
    });
    for (const bucket of missing) madeBuckets.add(bucket);
    statistics.noteApplied(observations.length);
  }

  return {
    apply,
    rank: async (query) => rank(pool, query, await searchContext()),
    findLiterally: async (query) => findLiterally(pool, query, await searchContext()),
    lexemesOf: (words) => readLexemes(pool, words),
    feedState: () => readFeed(pool),
    beginRebuild: async () => {
      const context = await upkeepContext();
      return await inTransaction(pool, async (client) => {
        const begun = await beginRebuild(client);
        if (begun) await resetKeptFrom(client, context);
        return begun;
      });
    },
    finishRebuild: () => inTransaction(pool, (client) => finishRebuild(client)),
    refreshStatistics: async () => {
      await wordLists.takeInIfDue();
      await statistics.renewIfDue().finally(sizes.forget);
    },
    keepUp,
    size: () => readSize(pool),
  };
}
