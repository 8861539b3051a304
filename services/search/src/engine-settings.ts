import { integer, oneOf, type Setting, type SettingValues, text } from '@ces/chassis/service/settings';

/** Plain HTTP is acceptable only on the loopback interface. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Keeps names of indices and aliases far below the 255 bytes that OpenSearch allows. */
const PREFIX = /^[a-z0-9][a-z0-9-]{0,99}$/;

const prefix = text('CES_SEARCH_OPENSEARCH_PREFIX', 'prefix of indices, for installations that share a cluster', {
  default: 'ces-',
});

export const engineSettings = {
  engine: oneOf(
    'CES_SEARCH_ENGINE',
    'engine that answers searches: postgres or opensearch',
    ['postgres', 'opensearch'],
    { default: 'postgres' },
  ),
  openSearchUrl: addresses(
    'CES_SEARCH_OPENSEARCH_URL',
    'addresses of OpenSearch nodes, separated by commas; https, except on this machine',
  ),
  openSearchPrefix: {
    ...prefix,
    parse: (value) => {
      if (!PREFIX.test(value))
        throw new Error(
          'must be lower-case letters, digits and hyphens, 100 at most, and begin with a letter or a digit',
        );
      return value;
    },
  } satisfies Setting<string>,
  // It is secret because one Kubernetes Secret holds both the name and the password.
  openSearchUser: text('CES_SEARCH_OPENSEARCH_USER', 'OpenSearch user name', {
    default: '',
    secret: true,
  }),
  openSearchPassword: text('CES_SEARCH_OPENSEARCH_PASSWORD', 'password of CES_SEARCH_OPENSEARCH_USER', {
    default: '',
    secret: true,
  }),
  openSearchCaFile: text('CES_SEARCH_OPENSEARCH_CA_FILE', 'CA certificates for OpenSearch; empty: those of Node.js', {
    default: '',
  }),
  openSearchTimeoutMs: integer('CES_SEARCH_OPENSEARCH_TIMEOUT_MS', 'timeout of a request to OpenSearch', {
    default: '5000',
    min: 1,
  }),
  openSearchShards: integer('CES_SEARCH_OPENSEARCH_SHARDS', 'primary shards, from the next rebuild on', {
    default: '1',
    min: 1,
    max: 1024,
  }),
  openSearchReplicas: integer('CES_SEARCH_OPENSEARCH_REPLICAS', 'replicas of each shard', { default: '0', max: 10 }),
};

export type EngineConfig = SettingValues<typeof engineSettings>;

function addresses(name: string, description: string): Setting<string> {
  return {
    ...text(name, description, { default: '' }),
    parse: (value) => {
      if (value !== '') for (const part of value.split(',')) checkAddress(part);
      return value;
    },
  };
}

function checkAddress(value: string): void {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || value.includes(' '))
    throw new Error('must be addresses that start with https://, separated only by commas');
  if (url.username !== '' || url.password !== '')
    throw new Error(
      'must carry no name or password: set CES_SEARCH_OPENSEARCH_USER and CES_SEARCH_OPENSEARCH_PASSWORD',
    );
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new Error('must start with https://; only addresses of this machine may use http://');
}
