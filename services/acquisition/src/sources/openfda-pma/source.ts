import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { countryOfRegion, regionName } from '../../extract/places/places.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { decisionSource, kindOf, mapLaunch } from '../families/fda/decisions.ts';

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

function extractApproval(content: string): string {
  const decision = readMembers(content);
  const state = decision.text('state');
  const facts = labelledLines([
    ['Device', decision.text('trade_name')],
    ['Applicant', decision.text('applicant')],
    ['Place', [decision.text('city'), regionName(state) ?? state].filter(Boolean).join(', ')],
    ['Decided', decision.text('decision_date')],
    ['PMA number', [decision.text('pma_number'), decision.text('supplement_number')].filter(Boolean).join(' ')],
    ['Kind of device', decision.text('openfda.device_name') ?? decision.text('generic_name')],
    ['Specialty', decision.text('advisory_committee_description')],
    ['Product code', decision.text('product_code')],
    ['Received', decision.text('date_received')],
  ]);
  return [facts, plainText(decision.text('ao_statement'))].filter((part) => part !== '').join('\n');
}

function mapApproval(raw: RawRecord, text: string): Mapped[] {
  const decision = readMembers(raw.content);
  const number = decision.need('pma_number');
  if (decision.text('supplement_number') !== undefined)
    return [{ type: 'left_out', reason: 'a supplement changes a device that was approved before' }];
  if (decision.need('decision_code') !== 'APPR')
    return [{ type: 'left_out', reason: 'the decision approves no device' }];
  const device = plainLine(decision.text('trade_name') ?? decision.need('generic_name'));
  const country =
    countryOfRegion(decision.need('state')) ?? refuse('state', 'is in neither Canada nor the United States');
  const says = `had ${device}${kindOf(decision, device)} approved by the FDA (premarket approval ${number})`;
  return [mapLaunch(decision, { country, says, title: `${device} ${number}` }, text)];
}
