import type { Source } from '../source.ts';
import { FEEDS_SETTING, hostsOfFeeds, RIGHTS_SETTING } from './feeds.ts';
import { extractRelease, mapRelease } from './map.ts';
import { parseNewsroom, requestFeeds } from './parse.ts';

const HOMEPAGE = 'https://www.rssboard.org/rss-specification';

export const newsrooms: Source = {
  name: 'newsrooms',
  title: 'Newsrooms of companies',
  publisher: 'The companies of the newsrooms',
  homepage: HOMEPAGE,
  licence: {
    name: 'Published by the company for everybody to read; no licence stated',
    uri: HOMEPAGE,
    attribution: 'Newsroom of the company',
  },
  kinds: ['product_launch', 'partnership', 'facility_expansion', 'leadership_change', 'funding_round'],
  verified: false,
  mode: 'scheduled',
  hosts: [],
  hostsBySetting: hostsOfFeeds,
  politeness: { requestsPerSecond: 0.5, obeysRobots: true, maxRequestsPerRun: 1_000, maxRequestsPerDay: 5_000 },
  schedule: { everyMinutes: 360, jitterMinutes: 90 },
  settings: [FEEDS_SETTING, RIGHTS_SETTING],
  fields: { required: ['title', 'date_published'], usual: [] },
  extractorVersion: 1,
  mappingVersion: 3,
  requests: requestFeeds,
  parse: parseNewsroom,
  extract: extractRelease,
  map: mapRelease,
};
