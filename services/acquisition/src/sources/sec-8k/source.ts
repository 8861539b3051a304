import type { Mapped, MappedCompany, MappedObservation } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord, Source } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { wholeCharacters } from '../../extract/formats/text.ts';
import { cutAtWord, safePassage } from '../../extract/passages/passage.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { feedRequests } from '../families/edgar/feed.ts';
import { ANNOUNCED, keptFiling, parseEdgar } from '../families/edgar/filing.ts';
import {
  ACCESSION,
  CIK,
  COMPANY,
  checkAccession,
  checkCik,
  FILED,
  type FilingHeader,
  FORM,
  PERIOD,
  STATE,
} from '../families/edgar/header.ts';
import { countryOfCode } from '../families/edgar/places.ts';
import { reportText } from '../families/edgar/report-text.ts';
import { EDGAR_TERMS, FILES_HOST, FILES_PER_SECOND } from '../families/edgar/terms.ts';
import { findAgreement } from './agreement.ts';
import type { Finding } from './finding.ts';
import { findLeadershipChange } from './leadership.ts';
import { findOtherEvent } from './other-event.ts';
import { findPrivateSale } from './private-sale.ts';
import { EXHIBIT_LINE, itemsOf, type Numbering, type Section, sectionsOf } from './sections.ts';

const PAGES = 4;
const FIELDS = [FORM, COMPANY, CIK, ACCESSION, FILED, PERIOD, STATE];
/** First day of items with two numbers, as headers write it. */
const PRESENT_NUMBERS = '20040823';

/** Headline and lead. The rest is about the publisher, not the event. */
const EXHIBIT_CHARACTERS = 6_000;
const MAX_SENTENCES = 1500;

const MAX_TITLE = 200;

export const sec8k: Source = {
  name: 'sec_8k',
  title: 'SEC EDGAR, current reports on Form 8-K',
  ...EDGAR_TERMS,
  kinds: ['leadership_change', 'partnership', 'product_launch', 'facility_expansion', 'funding_round'],
  hosts: [FILES_HOST],
  politeness: { requestsPerSecond: FILES_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 600 },
  schedule: { everyMinutes: 60, jitterMinutes: 15 },
  fields: { required: FIELDS, usual: [] },
  extractorVersion: 3,
  mappingVersion: 8,
  requests: () => feedRequests('8-K', PAGES),
  parse: (document) =>
    parseEdgar(document, {
      forms: new Set(['8-K', '8-K/A']),
      fields: FIELDS,
      documents: /^(?:8-K(?:\/A)?|EX-99(?:\..*)?)$/,
      keep: ({ text }) => text,
      keyOf: (_, accession) => accession,
    }),
  extract: extractReport,
  map: mapReport,
};

function extractReport(content: string): string {
  const filing = keptFiling(content);
  if (!filing) return readMembers(content).text('entry.company') ?? '';
  const isExhibit = (document: Members) => document.need('type').startsWith('EX-99');
  const report = filing.documents.find((document) => !isExhibit(document));
  const exhibits = filing.documents.filter(isExhibit);
  const items = itemsOf(plain(report), numberingOf(filing.header));
  return [items, ...exhibits.map((one) => `Exhibit ${one.need('type')}\n${leadOf(plain(one))}`)]
    .filter((part) => part !== '')
    .join('\n');
}

function numberingOf({ filed, period }: FilingHeader): Numbering {
  return (filed ?? period ?? PRESENT_NUMBERS) < PRESENT_NUMBERS ? 'older' : 'present';
}

function exhibitsOf(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => EXHIBIT_LINE.test(line));
  return at < 0 ? '' : lines.slice(at).join('\n');
}

function leadOf(text: string): string {
  const end = text.search(/^(?:about |forward[- ]looking|cautionary|safe harbor)/im);
  return wholeCharacters((end > 0 ? text.slice(0, end) : text).slice(0, EXHIBIT_CHARACTERS)).trim();
}

function plain(document: Members | undefined): string {
  return reportText(document?.text('text') ?? '');
}

interface Read {
  readonly item: string;
  readonly finding: Finding;
}

function mapReport(raw: RawRecord, text: string): Mapped[] {
  const filing = keptFiling(raw.content);
  if (!filing) return [ANNOUNCED];
  const { header } = filing;
  const sections = sectionsOf(text, numberingOf(header));
  if (header.form !== '8-K')
    return [{ type: 'left_out', reason: 'amends an earlier report without saying by number which' }];
  if (sections.length === 0) refuse('Item', 'heads no section of the report');
  const exhibits = exhibitsOf(text);
  const report = { sections, exhibits, company: header.company ?? '' };
  const read = sections.flatMap((section) => {
    const finding = findIn(section, report);
    return finding ? [{ item: section.item, finding }] : [];
  });
  if (read.length === 0)
    return [{ type: 'left_out', reason: 'reports none of the items 1.01, 3.02, 5.02, 7.01 and 8.01' }];
  return toMapped(read, header, text);
}

interface Report {
  readonly sections: readonly Section[];
  readonly exhibits: string;
  readonly company: string;
}

function findIn({ item, text }: Section, { sections, exhibits, company }: Report): Finding | undefined {
  if (item === '5.02') return findLeadershipChange(text, company);
  if (item === '1.01') return findAgreement(text);
  if (item === '3.02') return findPrivateSale(text, sections);
  return item === '8.01' || item === '7.01' ? findOtherEvent(text, exhibits) : undefined;
}

/** A refused item refuses the report only if nothing else of it is recorded. */
function toMapped(read: readonly Read[], header: FilingHeader, text: string): Mapped[] {
  const found = read.some(({ finding }) => finding.type === 'found');
  return read.map(({ item, finding }) => {
    if (finding.type === 'found') return toObservation(item, finding, header, text);
    if (finding.type === 'refused' && !found) refuse(`Item ${item}`, finding.reason);
    return { type: 'left_out', reason: `item ${item} ${finding.reason}` };
  });
}

function toObservation(
  item: string,
  found: Extract<Finding, { type: 'found' }>,
  header: FilingHeader,
  text: string,
): MappedObservation {
  const company = companyOf(header);
  const facts = found.sentences.map((sentence) => sentence.replace(/^\([a-z]\)\s+/, '')).join(' ');
  return {
    type: 'observation',
    part: item,
    company,
    kind: found.kind,
    observedFact: `${company.name} ${found.claim}: ${cutAtWord(facts, MAX_SENTENCES)}`,
    country: found.country ?? company.country,
    confidence: 0.7,
    occurredAt: readInstant(PERIOD, header.period ?? refuse(PERIOD, 'is missing')),
    title: cutAtWord(found.sentences[0] ?? '', MAX_TITLE),
    eventIdentifiers: [{ scheme: 'accession', value: checkAccession(header.accession) }],
    categories: [],
    excerpts: found.sentences.flatMap((sentence) => safePassage(text.slice(text.indexOf(sentence))) ?? []),
  };
}

function companyOf(header: FilingHeader): MappedCompany {
  const cik = checkCik(header.cik);
  return {
    name: header.company ?? refuse(COMPANY, 'is missing'),
    country: countryOfCode(STATE, header.state),
    hostnames: [],
    identifiers: [{ scheme: 'cik', value: cik }],
  };
}
