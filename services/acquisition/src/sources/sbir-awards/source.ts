import type { Source } from '../../connector/source.ts';
import { SBIR_TERMS } from '../families/sbir/terms.ts';
import { extractAward, mapAward } from './map.ts';
import { parseAwards, requestAwards } from './parse.ts';

export const sbirAwards: Source = {
  name: 'sbir_awards',
  title: 'SBIR.gov, awards of the SBIR and STTR programs',
  ...SBIR_TERMS,
  kinds: ['funding_round'],
  politeness: { requestsPerSecond: 0.2, obeysRobots: false, maxRequestsPerRun: 60 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  fields: {
    required: ['firm', 'award_title', 'agency', 'proposal_award_date', 'award_amount', 'state'],
    usual: [
      ...['contract', 'agency_tracking_number', 'branch', 'program', 'phase', 'abstract', 'award_link', 'city'],
      ...['contract_end_date', 'solicitation_number', 'topic_code', 'company_url', 'uei', 'duns'],
    ],
  },
  extractorVersion: 1,
  mappingVersion: 3,
  requests: requestAwards,
  parse: parseAwards,
  extract: extractAward,
  map: mapAward,
};
