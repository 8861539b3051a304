import type { Source } from '../../connector/source.ts';
import { samApi } from '../sam-api/source.ts';
import { extractFboNotice, mapFboNotice } from './map.ts';
import { HOMEPAGE, parseExport } from './parse.ts';

export const fbo: Source = {
  name: 'fbo',
  title: 'Federal Business Opportunities, exports of 2013 and 2014',
  publisher: 'U.S. General Services Administration',
  homepage: HOMEPAGE,
  licence: { ...samApi.licence, attribution: 'FedBizOpps, U.S. General Services Administration' },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: [],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: {
    required: ['data_source', 'notice_type', 'solnbr', 'agency', 'posted_dt', 'title'],
    usual: ['close_dt', 'description', 'listing_url', 'NAICS', 'office', 'location', 'CONTACT'],
  },
  extractorVersion: 5,
  mappingVersion: 5,
  parse: parseExport,
  extract: extractFboNotice,
  map: mapFboNotice,
};
