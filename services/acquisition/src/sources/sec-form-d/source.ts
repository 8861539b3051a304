import type { Source } from '../../connector/source.ts';
import { feedRequests } from '../families/edgar/feed.ts';
import { CIK, COMPANY, FORM } from '../families/edgar/fields.ts';
import { parseEdgar } from '../families/edgar/filing.ts';
import { EDGAR_TERMS, FILES_HOST, FILES_PER_SECOND } from '../families/edgar/terms.ts';
import { FORM_FIELDS, formFields, keptForm, offeringKey, parseForm } from './form.ts';
import { extractNotice, mapNotice } from './map.ts';

const PAGES = 3;
const FIELDS = [FORM, COMPANY, CIK, ...FORM_FIELDS];

export const secFormD: Source = {
  name: 'sec_form_d',
  title: 'SEC EDGAR, notices of exempt offerings on Form D',
  ...EDGAR_TERMS,
  kinds: ['funding_round'],
  hosts: [FILES_HOST],
  politeness: { requestsPerSecond: FILES_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 400 },
  schedule: { everyMinutes: 180, jitterMinutes: 30 },
  fields: { required: FIELDS, usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: () => feedRequests('D', PAGES),
  parse: (document) =>
    parseEdgar(document, {
      forms: new Set(['D', 'D/A']),
      fields: FIELDS,
      fieldsOf: formFields,
      documents: /^D(?:\/A)?$/,
      keep: keptForm,
      keyOf: offeringKey,
      readForm: parseForm,
    }),
  extract: extractNotice,
  map: mapNotice,
};
