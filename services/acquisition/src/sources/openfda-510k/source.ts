import type { Source } from '../../connector/source.ts';
import {
  type Decisions,
  FDA_HOST,
  FDA_LICENCE,
  FDA_PUBLISHER,
  parseDecisions,
  requestDecisions,
} from '../families/fda/decisions.ts';
import { extractClearance, mapClearance } from './map.ts';

const CLEARANCES: Decisions = {
  endpoint: '510k',
  number: 'k_number',
  page: (number) => `https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpmn/pmn.cfm?ID=${number}`,
};

export const openfda510k: Source = {
  name: 'openfda_510k',
  title: 'openFDA, medical devices cleared by 510(k)',
  publisher: FDA_PUBLISHER,
  homepage: 'https://open.fda.gov/apis/device/510k/',
  licence: FDA_LICENCE,
  kinds: ['product_launch'],
  verified: true,
  mode: 'scheduled',
  hosts: [FDA_HOST],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 30, maxRequestsPerDay: 200 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  fields: {
    required: ['k_number', 'applicant', 'device_name', 'decision_date', 'decision_code', 'country_code'],
    usual: ['state', 'decision_description', 'product_code', 'openfda.device_name'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: (context) => requestDecisions(CLEARANCES, context),
  parse: (document) => parseDecisions(CLEARANCES, document),
  extract: extractClearance,
  map: mapClearance,
};
