import type { Source } from '../../connector/source.ts';
import { SBIR_TERMS } from '../families/sbir/terms.ts';
import { extractTopic, mapTopic } from './map.ts';
import { parseSolicitations, requestSolicitations } from './parse.ts';

export const sbirSolicitations: Source = {
  name: 'sbir_solicitations',
  title: 'SBIR.gov, open topics of the SBIR and STTR programs',
  ...SBIR_TERMS,
  kinds: ['procurement_request'],
  politeness: { requestsPerSecond: 0.2, obeysRobots: false, maxRequestsPerRun: 25 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: {
    required: ['solicitation_number', 'solicitation_title', 'agency', 'release_date'],
    usual: [
      'program',
      'phase',
      'open_date',
      'close_date',
      'current_status',
      'topic.topic_title',
      'topic.topic_description',
    ],
  },
  extractorVersion: 1,
  mappingVersion: 4,
  requests: requestSolicitations,
  parse: parseSolicitations,
  extract: extractTopic,
  map: mapTopic,
};
