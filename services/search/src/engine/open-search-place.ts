import { ConfigurationError } from '@ces/chassis/service/settings';
import type { EngineConfig } from './settings.ts';

/** Where OpenSearch is, how this process proves itself there, and what indices it makes. */
export interface OpenSearchPlace {
  /** One address or more. */
  readonly nodes: readonly string[];
  readonly prefix: string;
  /** Empty: none is sent. */
  readonly user: string;
  readonly password: string;
  /** Empty: what Node trusts. */
  readonly caFile: string;
  readonly timeoutMs: number;
  readonly shards: number;
  readonly replicas: number;
}

/** The place, where OpenSearch is the engine; undefined where Postgres is. Throws ConfigurationError when settings do not go together. */
export function openSearchPlace(config: EngineConfig): OpenSearchPlace | undefined {
  const { openSearchNodes: nodes, openSearchUser: user, openSearchPassword: password } = config;
  const encrypted = nodes.filter((node) => node.startsWith('https:')).length;
  const mistakes = [
    ...(config.engine === 'opensearch' && nodes.length === 0
      ? ['CES_SEARCH_OPENSEARCH_URL is not set: CES_SEARCH_ENGINE=opensearch needs the address of a node.']
      : []),
    ...((user === '') !== (password === '')
      ? ['CES_SEARCH_OPENSEARCH_USER and CES_SEARCH_OPENSEARCH_PASSWORD are set together, or neither is.']
      : []),
    ...(encrypted > 0 && encrypted < nodes.length
      ? ['CES_SEARCH_OPENSEARCH_URL mixes https:// and http://: all of its nodes speak one or the other.']
      : []),
    ...(config.openSearchCaFile !== '' && nodes.length > 0 && encrypted === 0
      ? ['CES_SEARCH_OPENSEARCH_CA_FILE is set, and CES_SEARCH_OPENSEARCH_URL has no https://.']
      : []),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  if (config.engine === 'postgres') return undefined;
  return {
    nodes,
    prefix: config.openSearchPrefix,
    user,
    password,
    caFile: config.openSearchCaFile,
    timeoutMs: config.openSearchTimeoutMs,
    shards: config.openSearchShards,
    replicas: config.openSearchReplicas,
  };
}
