import type { Source } from '../../connector/source.ts';
import {
  type Decisions,
  FDA_HOST,
  FDA_LICENCE,
  FDA_PUBLISHER,
  parseDecisions,
  requestDecisions,
} from '../families/fda/decisions.ts';
import { extractApproval, mapApproval } from './map.ts';

const APPROVALS: Decisions = {
  endpoint: 'pma',
  number: 'pma_number',
  supplement: 'supplement_number',
  page: (number) => `https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpma/pma.cfm?id=${number}`,
};

export const openfdaPma: Source = {
  name: 'openfda_pma',
  title: 'openFDA, medical devices approved by PMA',
  publisher: FDA_PUBLISHER,
  homepage: 'https://open.fda.gov/apis/device/pma/',
  licence: FDA_LICENCE,
  kinds: ['product_launch'],
  verified: true,
  mode: 'scheduled',
  hosts: [FDA_HOST],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 30, maxRequestsPerDay: 200 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  fields: {
    required: ['pma_number', 'applicant', 'decision_date', 'decision_code'],
    usual: ['trade_name', 'generic_name', 'state', 'supplement_number', 'product_code'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: (context) => requestDecisions(APPROVALS, context),
  parse: (document) => parseDecisions(APPROVALS, document),
  extract: extractApproval,
  map: mapApproval,
};
