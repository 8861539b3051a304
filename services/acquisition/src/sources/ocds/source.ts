import type { Source } from '../../connector/source.ts';
import { mapRelease } from './map.ts';
import { parsePackage } from './parse.ts';
import { DETAILS } from './publisher.ts';
import { BUYER, HOMEPAGE, SUBJECT } from './release.ts';
import { extractRelease } from './text.ts';

export const ocds: Source = {
  name: 'ocds',
  title: 'Open Contracting releases',
  publisher: 'The publishers of the releases',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: [],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: { required: ['ocid', 'date', SUBJECT], usual: [BUYER, 'tag', ...DETAILS] },
  extractorVersion: 6,
  mappingVersion: 6,
  parse: parsePackage,
  extract: extractRelease,
  map: mapRelease,
};
