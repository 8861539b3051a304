import { cidrs } from './kinds.ts';
import { group, integer, list, oneOf, type Schema, strings, text, type Value } from './value.ts';

const ENGINES = ['postgres', 'opensearch'] as const;

/** OpenSearch needs an address when it answers searches or is filled. */
const ADDRESS_NEEDED: Schema = {
  if: { not: { properties: { engine: { const: 'postgres' }, fill: { enum: ['', 'postgres'] } } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { opensearch: { properties: { urls: { minItems: 1 } } } } },
};

export const SEARCH = {
  search: group(
    'Which engine indexes and ranks. The chart installs none.',
    {
      engine: oneOf('Who answers searches: the database of search, or OpenSearch.', ENGINES, 'postgres'),
      fill: oneOf(
        'The engine that one more Deployment fills from the same database; it answers nobody, until engine names it. Empty: none.',
        ['', ...ENGINES],
        '',
      ),
      opensearch: group('An OpenSearch that is there.', {
        urls: list(
          'Addresses of its nodes, or of the Service before them; needed where one of the two is opensearch.',
          {
            type: 'string',
            pattern: '^https://[^/@?#,\\s]+(/[^@?#,\\s]*)?$',
          },
        ),
        prefix: text('What names of its indices begin with; two installations on one cluster need two.', 'ces-', {
          pattern: '^[a-z0-9][a-z0-9-]{0,99}$',
        }),
        shards: integer('Shards of each index; a change has effect at the next rebuild.', 1, 1, 1024),
        replicas: integer('Copies of each shard beside the first.', 0, 0, 10),
        existingSecret: text(
          'Secret with username and password; empty: CES_SEARCH_OPENSEARCH_USER and CES_SEARCH_OPENSEARCH_PASSWORD of the Secret of search.',
        ),
        caSecret: text('Secret with ca.crt, which nodes are checked with; empty: what Node trusts.'),
        port: integer(
          'Port of its pods for the network policies, where it is not that of the addresses; 0: it is.',
          0,
          0,
          65_535,
        ),
        podSelector: strings('Labels of its pods, for the network policies.'),
        namespaceSelector: strings('Labels of their namespace.'),
        cidrs: cidrs('Networks they are in, where they are outside the cluster.'),
      }),
    },
    { rules: ADDRESS_NEEDED },
  ),
} satisfies Record<string, Value>;
