import type { Mapped } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { decisionSource, kindOf, mapLaunch } from '../families/fda/decisions.ts';

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

function extractClearance(content: string): string {
  const decision = readMembers(content);
  const state = decision.text('state');
  return labelledLines([
    ['Device', decision.text('device_name')],
    ['Applicant', decision.text('applicant')],
    ['Place', [decision.text('city'), regionName(state) ?? state].filter(Boolean).join(', ')],
    ['Decision', decision.text('decision_description')],
    ['Decided', decision.text('decision_date')],
    ['510(k) number', decision.text('k_number')],
    ['Type', decision.text('clearance_type')],
    ['Kind of device', decision.text('openfda.device_name')],
    [
      'Specialty',
      decision.text('openfda.medical_specialty_description') ?? decision.text('advisory_committee_description'),
    ],
    ['Product code', decision.text('product_code')],
    ['Received', decision.text('date_received')],
  ]);
}

/** Clearance (substantial equivalence) is less than approval. */
function mapClearance(raw: RawRecord, text: string): Mapped[] {
  const decision = readMembers(raw.content);
  const number = decision.need('k_number');
  const device = plainLine(decision.need('device_name'));
  const verdict = verdictOf(decision);
  if (verdict === undefined) return [{ type: 'left_out', reason: 'the decision clears no device' }];
  const country = requireCountry('country_code', decision.need('country_code'));
  const says = `had ${device}${kindOf(decision, device)} ${verdict} by the FDA for marketing in the United States (${number})`;
  return [mapLaunch(decision, { country, says, title: `${device} ${number}` }, text)];
}

function verdictOf(decision: Members): string | undefined {
  const [code, words] = [decision.need('decision_code'), decision.text('decision_description') ?? ''];
  if (code === 'DENG') return 'granted De Novo classification';
  const isEquivalent = /^SE/.test(code) || /^substantially equivalent/i.test(words);
  return isEquivalent ? 'cleared' : undefined;
}
