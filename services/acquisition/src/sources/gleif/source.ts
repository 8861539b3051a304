import type { FetchRequest, RunContext, Source } from '../../connector/source.ts';
import { extractRecord, mapRecord } from './map.ts';
import { parseRecords } from './parse.ts';
import { HEADQUARTERS_COUNTRY, HOMEPAGE, LEI } from './record.ts';

const LEIS_A_REQUEST = 100;

export const gleif: Source = {
  name: 'gleif',
  title: 'GLEIF, Legal Entity Identifiers',
  publisher: 'Global Legal Entity Identifier Foundation',
  homepage: HOMEPAGE,
  licence: {
    name: 'Creative Commons CC0 1.0, by the LEI Data Terms of Use',
    uri: 'https://www.gleif.org/en/meta/lei-data-terms-of-use',
    attribution: 'GLEIF, Global Legal Entity Identifier Foundation',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: ['api.gleif.org'],
  politeness: { requestsPerSecond: 0.5, obeysRobots: false, maxRequestsPerRun: 200 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  settings: [{ name: 'leis', description: 'LEIs to ask for, separated by commas', required: true }],
  fields: {
    required: ['lei', 'entity.legalName.name', 'entity.status', HEADQUARTERS_COUNTRY],
    usual: ['entity.jurisdiction', 'registration.status'],
  },
  extractorVersion: 2,
  mappingVersion: 2,
  requests: requestRecords,
  parse: parseRecords,
  extract: extractRecord,
  map: mapRecord,
};

function requestRecords({ settings }: RunContext): FetchRequest[] {
  const leis = (settings.get('leis') ?? '').split(/[\s,]+/).filter((lei) => LEI.test(lei));
  const requests: FetchRequest[] = [];
  for (let from = 0; from < leis.length; from += LEIS_A_REQUEST) {
    const query = new URLSearchParams({ 'filter[lei]': leis.slice(from, from + LEIS_A_REQUEST).join(',') });
    query.set('page[size]', String(LEIS_A_REQUEST));
    requests.push({ url: `https://api.gleif.org/api/v1/lei-records?${query}` });
  }
  return requests;
}
