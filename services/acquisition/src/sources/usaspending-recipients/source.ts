import type { Source } from '../../connector/source.ts';
import { extractRecipient, mapRecipient } from './map.ts';
import { HOMEPAGE, HOST, parseRecipient, requestRecipients } from './parse.ts';

export const usaspendingRecipients: Source = {
  name: 'usaspending_recipients',
  title: 'USAspending, recipients of federal awards',
  publisher: 'U.S. Department of the Treasury, Bureau of the Fiscal Service',
  homepage: HOMEPAGE,
  licence: {
    name: 'Work of the United States government, public domain',
    uri: 'https://www.usaspending.gov/about',
    attribution: 'USAspending.gov, U.S. Department of the Treasury',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: { requestsPerSecond: 0.5, obeysRobots: false, maxRequestsPerRun: 400 },
  schedule: { everyMinutes: 43_200, jitterMinutes: 720 },
  settings: [{ name: 'recipients', description: 'recipient ids, separated by commas', required: true }],
  fields: {
    required: ['name', 'recipient_id', 'business_types', 'location.country_code'],
    usual: ['uei', 'duns', 'alternate_names'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestRecipients,
  parse: parseRecipient,
  extract: extractRecipient,
  map: mapRecipient,
};
