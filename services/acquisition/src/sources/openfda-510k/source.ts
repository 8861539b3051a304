import { decisionSource } from '../families/fda/decisions.ts';
import { extractClearance, mapClearance } from './map.ts';

export const openfda510k = decisionSource(
  {
    endpoint: '510k',
    number: 'k_number',
    page: (number) => `https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpmn/pmn.cfm?ID=${number}`,
  },
  {
    name: 'openfda_510k',
    title: 'openFDA, medical devices cleared by 510(k)',
    fields: {
      required: ['k_number', 'applicant', 'device_name', 'decision_date', 'decision_code', 'country_code'],
      usual: ['state', 'decision_description', 'product_code', 'openfda.device_name'],
    },
    extract: extractClearance,
    map: mapClearance,
  },
);
