import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord, Source } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { chooseExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { findInstant, readInstant } from '../../extract/values/dates.ts';
import { formatDollars } from '../../extract/values/dollars.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { feedRequests } from '../families/edgar/feed.ts';
import { ANNOUNCED, keptFiling, parseEdgar } from '../families/edgar/filing.ts';
import { CIK, COMPANY, checkCik, FORM } from '../families/edgar/header.ts';
import { countryOfCode, placeOfCode } from '../families/edgar/places.ts';
import { EDGAR_TERMS, FILES_HOST, FILES_PER_SECOND } from '../families/edgar/terms.ts';
import {
  describeOffering,
  FORM_FIELDS,
  formFields,
  keptForm,
  offeringKey,
  parseForm,
  readForm,
  readOffering,
} from './form.ts';

const PAGES = 3;
const FIELDS = [FORM, COMPANY, CIK, ...FORM_FIELDS];

const ISSUER = 'edgarSubmission.primaryIssuer';
const STATE = `${ISSUER}.issuerAddress.stateOrCountry`;
const OFFERING = 'edgarSubmission.offeringData';
const FIRST_SALE = `${OFFERING}.typeOfFiling.dateOfFirstSale.value`;

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

function extractNotice(content: string): string {
  const form = formOf(content);
  if (!form) return readMembers(content).text('entry.company') ?? '';
  const { sold, sought, securities } = readOffering(form);
  return labelledLines([
    ['Issuer', form.text(`${ISSUER}.entityName`)],
    ['Notice', form.text('edgarSubmission.submissionType') === 'D/A' ? 'amendment of Form D' : 'Form D'],
    ['Entity type', form.text(`${ISSUER}.entityType`)],
    ['Place', [form.text(`${ISSUER}.issuerAddress.city`), placeOfCode(form.text(STATE))].filter(Boolean).join(', ')],
    ['Industry', form.text(`${OFFERING}.industryGroup.industryGroupType`)],
    ['Securities', securities],
    ['Date of first sale', form.text(FIRST_SALE) ?? 'yet to occur'],
    ['Total offering amount', sought === undefined ? 'indefinite' : formatDollars(sought)],
    ['Total amount sold', formatDollars(sold)],
  ]);
}

function mapNotice(raw: RawRecord, text: string): Mapped[] {
  const filing = keptFiling(raw.content);
  const form = formOf(raw.content);
  if (!filing || !form) return [ANNOUNCED];
  const reason = reasonToLeaveOut(form);
  if (reason !== undefined) return [{ type: 'left_out', reason }];
  const company = companyOf(form);
  return [
    {
      type: 'observation',
      company,
      kind: 'funding_round',
      observedFact: describeOffering(company.name, readOffering(form)),
      country: company.country,
      confidence: 0.9,
      occurredAt: occurredAt(form, filing.header.filed),
      title: `Form D ${filing.header.fileNumber ?? form.text(FIRST_SALE) ?? ''}`.trim(),
      eventIdentifiers: numbersOf(form, filing.header.accession),
      categories: [],
      excerpts: [quotable('entityName', chooseExcerpt(text))],
    },
  ];
}

function formOf(content: string): Members | undefined {
  const filing = keptFiling(content);
  if (!filing) return undefined;
  const [document] = filing.documents;
  return document ? readForm(document.need('text')) : refuse('primary_doc.xml', 'is missing');
}

function reasonToLeaveOut(form: Members): string | undefined {
  if (form.need('edgarSubmission.testOrLive') !== 'LIVE') return 'the notice is a test';
  const pooled =
    form.text(`${OFFERING}.typesOfSecuritiesOffered.isPooledInvestmentFundType`) === 'true' ||
    /pooled investment/i.test(form.need(`${OFFERING}.industryGroup.industryGroupType`));
  if (pooled) return 'the issuer is a pooled investment fund';
  const merger = `${OFFERING}.businessCombinationTransaction.isBusinessCombinationTransaction`;
  return form.text(merger) === 'true' ? 'the offering is part of a merger or exchange' : undefined;
}

/** Without sales, the only date is the filing's. */
function occurredAt(form: Members, filed: string | undefined): Date {
  const first = form.text(FIRST_SALE);
  if (first !== undefined) return readInstant(FIRST_SALE, first);
  return findInstant(filed) ?? refuse('filing date', 'is missing, and there is no date of first sale');
}

/** An amendment names the previous notice, which links all of an offering. */
function numbersOf(form: Members, accession: string | undefined): EventIdentifier[] {
  const previous = form.text(`${OFFERING}.typeOfFiling.newOrAmendment.previousAccessionNumber`);
  const numbers = [accession, previous].flatMap((value) => (value ? [value] : []));
  return [...new Set(numbers)].map((value) => ({ scheme: 'accession', value }));
}

function companyOf(form: Members): MappedCompany {
  return {
    name: plainLine(form.need(`${ISSUER}.entityName`)),
    country: countryOfCode(STATE, form.text(STATE)),
    hostnames: [],
    identifiers: [{ scheme: 'cik', value: checkCik(form.text(`${ISSUER}.cik`)) }],
  };
}
