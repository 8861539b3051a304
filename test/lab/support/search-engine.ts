import type { Pool } from '@ces/chassis/postgres/pool';
import { systemClock } from '@ces/chassis/service/clock';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Refusal } from '@ces/cli/refusal';
import { settings } from '@ces/search/config';
import type { Engine } from '@ces/search/engine/engine';
import { openEngine } from '@ces/search/engine/open-engine';
import type { Vocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { type OpenSearchIndices, openOpenSearch } from './opensearch.ts';

/** Search engines with display names. */
export const ENGINES = {
  memory: 'memory index',
  opensearch: 'OpenSearch',
} as const;
export type SearchEngine = keyof typeof ENGINES;

export interface EngineOptions {
  /** Size of the memory index in MiB. Default: the service's. */
  readonly memoryIndexMib?: number | undefined;
  readonly openSearch?: string | undefined;
  /** Name of persistent OpenSearch indexes. Without it, disposal deletes them. */
  readonly kept?: string | undefined;
}

export interface ConfiguredEngine extends AsyncDisposable {
  readonly name: SearchEngine;
  readonly settings: Readonly<Record<string, string>>;
  readonly openSearch: OpenSearchIndices | undefined;
}

interface IndexEnvironment {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly vocabulary: Vocabulary;
  /** Vectors of this model are loaded; absent for words only. */
  readonly model?: string | undefined;
}

export function engineNamed(text: string): SearchEngine {
  const found = (Object.keys(ENGINES) as SearchEngine[]).find((name) => name === text);
  if (!found) throw new Refusal(`There is no engine ${text}: name one of ${Object.keys(ENGINES).join(', ')}.`);
  return found;
}

export async function configureEngine(name: SearchEngine, options: EngineOptions = {}): Promise<ConfiguredEngine> {
  const { memoryIndexMib } = options;
  const openSearch = name === 'opensearch' ? await openOpenSearch(options.openSearch, options.kept) : undefined;
  return {
    name,
    settings: {
      ...(memoryIndexMib !== undefined && { CES_SEARCH_MEMORY_INDEX_MIB: String(memoryIndexMib) }),
      ...openSearch?.settings,
    },
    openSearch,
    async [Symbol.asyncDispose]() {
      await openSearch?.[Symbol.asyncDispose]();
    },
  };
}

/** Opens the index of a search service with these settings. `pool` must use the same database. */
export async function openIndex(
  { settings: env }: Pick<ConfiguredEngine, 'settings'>,
  { databaseUrl, pool, vocabulary, model }: IndexEnvironment,
): Promise<Engine> {
  const config = readSettings(settings, {
    CES_SEARCH_DATABASE_URL: databaseUrl,
    ...env,
  });
  const logger = createLogger('search', 'warn');
  return await openEngine(config, { pool, clock: systemClock, placeCodes: vocabulary.placeCodes, model, logger });
}
