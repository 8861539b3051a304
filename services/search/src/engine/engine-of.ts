import { ConfigurationError } from '@ces/chassis/service/settings';
import type { EngineConfig } from './settings.ts';

/** The engine that settings choose. Throws ConfigurationError where nothing says where it is, or half of who asks. */
export function engineOf({ engine, openSearchUrl, openSearchUser, openSearchPassword }: EngineConfig) {
  const mistakes = [
    ...(engine === 'opensearch' && openSearchUrl === ''
      ? ['CES_SEARCH_OPENSEARCH_URL is not set: CES_SEARCH_ENGINE=opensearch needs the address of a node.']
      : []),
    ...((openSearchUser === '') !== (openSearchPassword === '')
      ? ['CES_SEARCH_OPENSEARCH_USER and CES_SEARCH_OPENSEARCH_PASSWORD are set together, or neither is.']
      : []),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return engine;
}
