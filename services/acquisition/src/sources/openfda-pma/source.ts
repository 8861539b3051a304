import { decisionSource } from '../families/fda/decisions.ts';
import { extractApproval, mapApproval } from './map.ts';

export const openfdaPma = decisionSource(
  {
    endpoint: 'pma',
    number: 'pma_number',
    supplement: 'supplement_number',
    page: (number) => `https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpma/pma.cfm?id=${number}`,
  },
  {
    name: 'openfda_pma',
    title: 'openFDA, medical devices approved by PMA',
    fields: {
      required: ['pma_number', 'applicant', 'decision_date', 'decision_code'],
      usual: ['trade_name', 'generic_name', 'state', 'supplement_number', 'product_code'],
    },
    extract: extractApproval,
    map: mapApproval,
  },
);
