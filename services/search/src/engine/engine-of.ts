import { ConfigurationError } from '@ces/chassis/service/settings';
import type { EngineConfig } from '../engine-settings.ts';

/** Throws ConfigurationError if the chosen engine has no address. */
export function engineOf({ engine, openSearchUrl }: Pick<EngineConfig, 'engine' | 'openSearchUrl'>) {
  if (engine === 'opensearch' && openSearchUrl === '')
    throw new ConfigurationError([
      'CES_SEARCH_OPENSEARCH_URL is not set: CES_SEARCH_ENGINE=opensearch needs the address of a node.',
    ]);
  return engine;
}
