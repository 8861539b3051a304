import type { Pool } from '@ces/chassis/postgres/pool';
import { systemClock } from '@ces/chassis/service/clock';
import { Refusal } from '@ces/cli/refusal';
import { settings } from '@ces/search/config';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { createPostgresIndex } from '@ces/search/index/postgres/postgres-index';
import type { Vocabulary } from '@ces/search/vocabulary/load-vocabulary';

/** Ways to search that the service has: by statements, or by a copy of the same index in the process. */
const ENGINES = ['postgres', 'copy'] as const;
export type SearchEngine = (typeof ENGINES)[number];

export interface IndexOptions {
  readonly pool: Pool;
  readonly vocabulary: Vocabulary;
  /** Matches scored at most, with and without a window, instead of the defaults of the service. */
  readonly budget?: number | undefined;
  /** Of the copy in the process, in MiB, instead of the default of the service; 0: the database ranks all. */
  readonly copyMemory?: number | undefined;
}

const STATEMENT_TIMEOUT_MS = 20_000;

export function engineNamed(text: string): SearchEngine {
  const found = ENGINES.find((name) => name === text);
  if (!found) throw new Refusal(`There is no engine ${text}: name one of ${ENGINES.join(', ')}.`);
  return found;
}

/** The index of a search service with its settings. */
export function openIndex(
  engine: SearchEngine,
  { pool, vocabulary, budget, copyMemory }: IndexOptions,
): ObservationIndex {
  return createPostgresIndex({
    pool,
    clock: systemClock,
    placeCodes: vocabulary.placeCodes,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    matchBudget: budget ?? Number(settings.matchBudget.default),
    windowMatchBudget: budget ?? Number(settings.windowMatchBudget.default),
    copyMemory: engine === 'copy' ? (copyMemory ?? Number(settings.copyMemory.default)) : 0,
  });
}
