import { readSettings } from '@ces/chassis/service/settings';
import { expect, test } from 'vitest';
import { openSearchPlace } from './open-search-place.ts';
import { engineSettings } from './settings.ts';

const placeOf = (env: NodeJS.ProcessEnv) => openSearchPlace(readSettings(engineSettings, env));

test('where the database is the engine there is none, whatever else is set', () => {
  expect(placeOf({})).toBeUndefined();
  expect(placeOf({ CES_SEARCH_OPENSEARCH_URL: 'https://a:9200' })).toBeUndefined();
});

test('OpenSearch has its nodes, its names and what proves this process', () => {
  expect(
    placeOf({
      CES_SEARCH_ENGINE: 'opensearch',
      CES_SEARCH_OPENSEARCH_URL: 'https://a:9200,https://b:9200',
      CES_SEARCH_OPENSEARCH_USER: 'ces',
      CES_SEARCH_OPENSEARCH_PASSWORD: 'secret',
      CES_SEARCH_OPENSEARCH_CA_FILE: '/ca.crt',
    }),
  ).toEqual({
    nodes: ['https://a:9200', 'https://b:9200'],
    prefix: 'ces-',
    user: 'ces',
    password: 'secret',
    caFile: '/ca.crt',
    timeoutMs: 5000,
    shards: 1,
    replicas: 0,
  });
});

test('OpenSearch without an address is refused', () => {
  expect(() => placeOf({ CES_SEARCH_ENGINE: 'opensearch' })).toThrow(
    'CES_SEARCH_OPENSEARCH_URL is not set: CES_SEARCH_ENGINE=opensearch needs the address of a node.',
  );
});

test.each([
  [{ CES_SEARCH_OPENSEARCH_USER: 'ces' }, 'are set together'],
  [{ CES_SEARCH_OPENSEARCH_PASSWORD: 'secret' }, 'are set together'],
  [{ CES_SEARCH_OPENSEARCH_URL: 'https://a:9200,http://localhost:9200' }, 'mixes https:// and http://'],
  [
    { CES_SEARCH_OPENSEARCH_URL: 'http://localhost:9200', CES_SEARCH_OPENSEARCH_CA_FILE: '/ca.crt' },
    'CES_SEARCH_OPENSEARCH_CA_FILE is set, and',
  ],
])('%j do not go together, whichever the engine is', (env, sentence) => {
  for (const engine of ['postgres', 'opensearch'])
    expect(() => placeOf({ CES_SEARCH_ENGINE: engine, ...env })).toThrow(sentence);
});

test('all that is wrong is said at once', () => {
  expect(() => placeOf({ CES_SEARCH_ENGINE: 'opensearch', CES_SEARCH_OPENSEARCH_USER: 'ces' })).toThrow(
    expect.objectContaining({ mistakes: [expect.any(String), expect.any(String)] }),
  );
});
