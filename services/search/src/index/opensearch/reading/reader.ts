import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Client } from '@opensearch-project/opensearch';
import { createModelGuard } from '../../../endpoint/model-guard.ts';
import type { ObservationIndex } from '../../observation-index.ts';
import type { EngineMeter, ReportPartial } from '../client/engine-meter.ts';
import { unavailable } from '../client/failures.ts';
import { readAlias } from '../indices/names.ts';
import { findLiterally } from './literal/find-literally.ts';
import { type RankerOptions, rank, type TimeLeft } from './ranking/rank.ts';
import { ANSWER_MS, createSearchMany } from './search-many.ts';
import { createWordStatistics } from './statistics/word-statistics.ts';

type ServedGeneration = Pick<RankerOptions, 'position' | 'hasVectors' | 'keptFrom'>;

export interface ReaderOptions {
  readonly client: Client;
  readonly meter: EngineMeter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly prefix: string;
  /** A search also takes at most half of the time until the caller's deadline. */
  readonly timeoutMs: number;
  /** Has the vectors that order. */
  readonly pool: Queryable;
  readonly served: () => Promise<ServedGeneration>;
}

export interface IndexReader extends Pick<ObservationIndex, 'rank' | 'findLiterally'> {
  forgetStatistics(): void;
}

const MICROS = 1000;
const HALF = 2;
/** Vectors may take this share of the time of a search. */
const VECTORS_SHARE = 0.25;

export function createReader(options: ReaderOptions): IndexReader {
  const { client, clock, prefix, meter, served } = options;
  const observations = readAlias(prefix, 'observation');
  const companies = readAlias(prefix, 'company');
  const statistics = createWordStatistics({ ...options, observations, companies });
  const sources = {
    ...options,
    statistics,
    observations,
    companies,
    vectors: createModelGuard({
      ...options,
      name: 'the search by vectors',
      timeoutMs: Math.ceil(options.timeoutMs * VECTORS_SHARE),
    }),
    now: () => clock.now().getTime() * MICROS,
  };
  const forOne = async (reportPartial: ReportPartial) => ({
    ...sources,
    ...(await served()),
    searchMany: createSearchMany(client, reportPartial),
  });
  /** Runs `work` with a deadline, which also ends requests that have no limit of their own. */
  const inTime = async <T>(callersMs: number | undefined, work: (timeLeft: TimeLeft) => Promise<T>): Promise<T> => {
    const most = Math.min(options.timeoutMs, (callersMs ?? Number.POSITIVE_INFINITY) / HALF);
    const end = performance.now() + most;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(unavailable('OpenSearch did not answer in time')), most + 2 * ANSWER_MS);
    try {
      return await Promise.race([work(() => Math.max(1, end - performance.now())), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    rank: (query) =>
      meter.time('rank', (reportPartial) =>
        inTime(query.timeoutMs, async (timeLeft) => rank(await forOne(reportPartial), query, timeLeft)),
      ),
    findLiterally: (query) =>
      meter.time('literal', (reportPartial) =>
        inTime(query.timeoutMs, async (timeLeft) => findLiterally(await forOne(reportPartial), query, timeLeft)),
      ),
    forgetStatistics: statistics.forget,
  };
}
