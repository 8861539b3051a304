import type { Mapped, MappedCompany, MappedObservation } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { cutAtWord, safePassage } from '../../extract/passages/passage.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { COMPANY, PERIOD, STATE } from '../families/edgar/fields.ts';
import { ANNOUNCED, keptFiling } from '../families/edgar/filing.ts';
import { checkAccession, checkCik, type FilingHeader } from '../families/edgar/header.ts';
import { countryOfCode } from '../families/edgar/places.ts';
import { findAgreement } from './agreement.ts';
import type { Finding } from './finding.ts';
import { findLeadershipChange } from './leadership.ts';
import { findOtherEvent } from './other-event.ts';
import { findPrivateSale } from './private-sale.ts';
import { type Section, sectionsOf } from './sections.ts';
import { exhibitsOf, numberingOf } from './text.ts';

interface Read {
  readonly item: string;
  readonly finding: Finding;
}

const MAX_TITLE = 200;
const MAX_SENTENCES = 1500;

export function mapReport(raw: RawRecord, text: string): Mapped[] {
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
