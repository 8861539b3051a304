import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import type { Document, Parsed, RawRecord, Refusal, Source } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems, readJsonLines } from '../../extract/formats/json-stream.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainText } from '../../extract/formats/plain.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { findClosing, NAMES_NO_REQUEST, SCHEDULE_STAYS_OPEN, staysOpen } from '../families/tender/closing.ts';
import { federalIdentifier, isFederalNumber } from '../families/tender/solicitation.ts';
import { isSourceList } from '../families/tender/source-list.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { chooseTenderExcerpt, tenderText } from '../families/tender/text.ts';
import { samApi } from '../sam-api/source.ts';

const HOMEPAGE = 'https://sam.gov/data-services/Contract%20Opportunities';
const MAX_BLANKS = 64 * 1024;
/** Closing days end in Washington; one layout writes them as midnight. */
const WASHINGTON = 'America/New_York';
const REQUESTS: Readonly<Record<string, string>> = {
  PRESOL: 'Presolicitation',
  COMBINE: 'Combined Synopsis/Solicitation',
  SRCSGT: 'Sources Sought',
  MOD: 'Modification',
};
const CONTACTS = [
  ...['FBO_CONTACT', 'FBO_EMAIL_ADDRESS', 'FBO_EMAIL_DESC', 'FBO_OFFADD', 'FBO_POPADDRESS'],
  ...['CONTACT', 'email_address', 'email_desc', 'OFFADD', 'POPADDRESS', 'AgencyContact'],
];

export const fbo: Source = {
  name: 'fbo',
  title: 'Federal Business Opportunities, exports of 2013 and 2014',
  publisher: 'U.S. General Services Administration',
  homepage: HOMEPAGE,
  licence: { ...samApi.licence, attribution: 'FedBizOpps, U.S. General Services Administration' },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: [],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: {
    required: ['data_source', 'notice_type', 'solnbr', 'agency', 'posted_dt', 'title'],
    usual: ['close_dt', 'description', 'listing_url', 'NAICS', 'office', 'location', 'CONTACT'],
  },
  extractorVersion: 5,
  mappingVersion: 5,
  parse: parseExport,
  extract: extractFboNotice,
  map: mapFboNotice,
};

/** A list of hits, lines of hits, or a bulk load with actions between its lines. */
async function* parseExport(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (head) => head !== '', MAX_BLANKS);
  if (head.startsWith('[')) yield* parseHits(document);
  else yield* parseLines(document);
}

async function* parseHits(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const hit of readJsonItems(document)) {
    position += 1;
    yield* toRecord(hit, `hit ${position}`, document);
  }
}

async function* parseLines(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readJsonLines(document)) {
    if (item.type === 'refused') yield item;
    else yield* toRecord(item.value, `line ${item.line}`, document);
  }
}

function* toRecord(item: unknown, position: string, document: Document): Generator<Parsed> {
  const hit = isObject(item) ? item : {};
  if (isObject(hit.index) || isObject(hit.update)) return;
  const notice = [hit._source, hit.doc, hit].find(isObject) ?? {};
  const refusal = foreign(hit, notice, position);
  if (refusal) yield { type: 'refused', refusal };
  else
    yield {
      type: 'record',
      record: {
        key: keyOf(notice) ?? (addressKey(notice) || position),
        uri: firstWebAddress([notice.listing_url, document.uri], HOMEPAGE),
        content: keptContent(notice, CONTACTS, contactNames(contactFields(notice))),
        fields: fieldsOf(notice),
      },
    };
}

/** The exports also hold attachments, grants and leads of other sites. */
function foreign(hit: JsonMembers, notice: JsonMembers, position: string): Refusal | undefined {
  if (hit._type !== undefined && hit._type !== 'opp') return { key: position, field: '_type', reason: 'is no notice' };
  if (typeof notice.data_source === 'string' && /^fbo(?:\.gov)?$/i.test(notice.data_source)) return undefined;
  return { key: position, field: 'data_source', reason: 'is another site than FBO' };
}

/**
 * One number is one request in versions. A number that is not federal includes its office; a
 * placeholder (`none-assigned`) is no key.
 */
function keyOf({ agency, solnbr, office, location }: JsonMembers): string | undefined {
  if (typeof agency !== 'string' || typeof solnbr !== 'string' || !federalIdentifier(solnbr, undefined))
    return undefined;
  const place = [location, office].find((name) => typeof name === 'string' && name.trim() !== '');
  const own = isFederalNumber(solnbr) || typeof place !== 'string' ? [] : [place];
  return [agency, ...own, solnbr]
    .map((part) => part.trim().toLowerCase())
    .join('/')
    .slice(0, 400);
}

function addressKey({ listing_url: address }: JsonMembers): string | undefined {
  return typeof address === 'string' ? address.trim().slice(0, 400) : undefined;
}

function contactFields(notice: JsonMembers): unknown[] {
  const ext = isObject(notice.ext) ? notice.ext : {};
  return ['FBO_CONTACT', 'CONTACT', 'AgencyContact'].flatMap((name) => [notice[name], ext[name]]);
}

function fieldsOf(notice: JsonMembers): string[] {
  const names = [...Object.keys(notice), ...(isObject(notice.ext) ? Object.keys(notice.ext) : [])];
  return names.map((name) => name.replace(/^FBO_/, ''));
}

function extractFboNotice(content: string): string {
  const notice = readMembers(content);
  return tenderText({
    title: notice.text('title'),
    buyer: ['agency', 'office', 'location'].flatMap((member) => notice.text(member) ?? []),
    closing: notice.text('close_dt')?.slice(0, 10),
    description: notice.text('description'),
    facts: {
      Type: typeName(notice.text('notice_type')),
      Posted: notice.text('posted_dt')?.slice(0, 10),
      NAICS: naicsOf(notice),
    },
  });
}

function mapFboNotice(raw: RawRecord, text: string): Mapped[] {
  const notice = readMembers(raw.content);
  const type = notice.need('notice_type').toUpperCase();
  const posted = readInstant('posted_dt', notice.need('posted_dt'));
  const identifier = numberOf(notice);
  const company = buyerCompany(notice.need('agency'), 'US');
  if (type === 'AWARD') return [award(notice, identifier, company, posted)];
  const noticeType = typeName(type);
  if (noticeType === undefined) return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
  if (isSourceList(noticeType, plainText(notice.text('description'))))
    return [{ type: 'left_out', reason: 'the notice keeps a list of suppliers and says that it asks for no bids' }];
  return [
    tenderObservation({
      buyer: company.name,
      country: 'US',
      title: notice.need('title'),
      noticeType,
      publishedAt: posted,
      closing: findClosing(notice.text('close_dt')?.slice(0, 10), WASHINGTON),
      eventIdentifiers: [identifier],
      categories: [sectorOf(naicsOf(notice))],
      excerpt: quotable('description', chooseTenderExcerpt(text)),
    }),
  ];
}

function award(
  notice: Members,
  identifier: EventIdentifier | undefined,
  company: MappedCompany,
  closedAt: Date,
): Mapped {
  if (staysOpen(notice.text('title'), officeOf(notice))) return { type: 'left_out', reason: SCHEDULE_STAYS_OPEN };
  if (!identifier) return { type: 'left_out', reason: NAMES_NO_REQUEST };
  return { type: 'closing', eventIdentifiers: [identifier], company, reason: 'awarded', closedAt };
}

function typeName(type: string | undefined): string | undefined {
  const code = type?.toUpperCase() ?? '';
  return Object.hasOwn(REQUESTS, code) ? REQUESTS[code] : undefined;
}

function numberOf(notice: Members): EventIdentifier | undefined {
  const classes = [naicsOf(notice), notice.text('FBO_CLASSCOD') ?? notice.text('ext.CLASSCOD')];
  return federalIdentifier(notice.need('solnbr'), officeOf(notice), classes);
}

/** The location, else the office above it. */
function officeOf(notice: Members): string | undefined {
  return notice.text('location') ?? notice.text('office');
}

function naicsOf(notice: Members): string | undefined {
  return notice.text('FBO_NAICS') ?? notice.text('ext.NAICS');
}
