import { expect, test } from 'vitest';
import { parseCommandLine } from './start-options.ts';

test('without an engine the settings of the environment decide', () => {
  expect(parseCommandLine([])?.settings).toEqual({});
});

test('an engine and its address become settings of search', () => {
  const parameters = ['--engine', 'opensearch', '--opensearch-url', 'http://127.0.0.1:9200'];
  expect(parseCommandLine(parameters)?.settings).toEqual({
    CES_SEARCH_ENGINE: 'opensearch',
    CES_SEARCH_OPENSEARCH_URL: 'http://127.0.0.1:9200',
  });
  expect(parseCommandLine(['--engine', 'opensearch'])?.settings).toEqual({ CES_SEARCH_ENGINE: 'opensearch' });
  expect(parseCommandLine(['--engine=postgres'])?.settings).toEqual({ CES_SEARCH_ENGINE: 'postgres' });
});

test('an engine that there is not is refused, and an address without its engine', () => {
  expect(() => parseCommandLine(['--engine', 'solr'])).toThrow('--engine must be one of postgres, opensearch.');
  expect(() => parseCommandLine(['--opensearch-url', 'http://127.0.0.1:9200'])).toThrow('needs --engine opensearch');
  expect(() => parseCommandLine(['--engine'])).toThrow(/the options are .*--engine ENGINE/);
});

test('a live start loads no sample', () => {
  expect(parseCommandLine([])).toMatchObject({ live: false, sample: true });
  expect(parseCommandLine(['--live', '--fresh'])).toMatchObject({ live: true, fresh: true, sample: false });
});
