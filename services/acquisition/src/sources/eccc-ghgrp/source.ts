import type { Source } from '../../connector/source.ts';
import { COLUMNS } from './columns.ts';
import { extractFacility, mapFacility } from './map.ts';
import { HOMEPAGE, HOST, parseFacilities, requestFacilities } from './parse.ts';

export const ecccGhgrp: Source = {
  name: 'eccc_ghgrp',
  title: 'Greenhouse Gas Reporting Program, facilities',
  publisher: 'Environment and Climate Change Canada',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  schedule: { everyMinutes: 43_200, jitterMinutes: 720 },
  fields: { required: COLUMNS, usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestFacilities,
  parse: parseFacilities,
  extract: extractFacility,
  map: mapFacility,
};
