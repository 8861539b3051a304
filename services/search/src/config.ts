import { integer, type SettingValues, url } from '@ces/chassis/env';
import { brokerSettings, callerSettings, serviceSettings } from '@ces/chassis/service';

export const settings = {
  ...serviceSettings('search', 9103),
  ...brokerSettings,
  ...callerSettings,
  lookupUrl: url('CES_LOOKUP_URL', 'address of lookup, whose change list feeds the index', {
    schemes: ['http', 'https'],
    default: 'http://127.0.0.1:9104',
  }),
  statementTimeoutMs: integer(
    'CES_SEARCH_STATEMENT_TIMEOUT_MS',
    'longest statement of a search, in milliseconds; one that takes longer is tried once more with a third of the matches',
    { default: '2000', min: 1 },
  ),
  matchBudget: integer('CES_SEARCH_MATCH_BUDGET', 'matches that one search without a time window scores at most', {
    default: '12000',
    min: 100,
  }),
  windowMatchBudget: integer('CES_SEARCH_WINDOW_MATCH_BUDGET', 'the same for a search with a time window', {
    default: '6000',
    min: 100,
  }),
  minimumScore: integer(
    'CES_SEARCH_MINIMUM_SCORE',
    'relevance threshold in thousandths of the normalised score; 0 applies none',
    { default: '0', max: 1000 },
  ),
};

export type Config = SettingValues<typeof settings>;
