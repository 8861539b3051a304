import type { Document, Parsed, Refusal } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems, readJsonLines } from '../../extract/formats/json-stream.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { federalIdentifier, isFederalNumber } from '../families/tender/solicitation.ts';

export const HOMEPAGE = 'https://sam.gov/data-services/Contract%20Opportunities';

const MAX_BLANKS = 64 * 1024;

const CONTACTS = [
  ...['FBO_CONTACT', 'FBO_EMAIL_ADDRESS', 'FBO_EMAIL_DESC', 'FBO_OFFADD', 'FBO_POPADDRESS'],
  ...['CONTACT', 'email_address', 'email_desc', 'OFFADD', 'POPADDRESS', 'AgencyContact'],
];

/** A list of hits, lines of hits, or a bulk load with actions between its lines. */
export async function* parseExport(given: Document): AsyncGenerator<Parsed> {
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
