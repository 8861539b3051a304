import type { Document, Parsed } from '../../connector/source.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { DETAILS, findPublisher } from './publisher.ts';

export const HOMEPAGE = 'https://standard.open-contracting.org/';

export const SUBJECT = 'tender, awards or contracts';
export const BUYER = 'buyer or parties';

const MOST_LEVELS = 20;
const CONTACTS = ['contactPoint', 'contactPoints', 'email', 'telephone', 'faxNumber', 'memberOf', 'persones'];

export function releaseRecord(
  release: JsonMembers,
  publisher: JsonMembers | undefined,
  document: Document,
  position: string,
): Parsed {
  const ocid = typeof release.ocid === 'string' ? release.ocid.trim().slice(0, 400) : '';
  const known = { name: publisher?.name, uri: publisher?.uri ?? publisher?.uri_en };
  return {
    type: 'record',
    record: {
      key: ocid || position,
      uri: noticePage(release, known.uri, document),
      content: keptContent({ ...release, publisher: known }, CONTACTS, contactNames(contactsIn(release))),
      fields: [...fieldNames(release), ...standIns(release), ...details(release, known.uri)],
    },
  };
}

function standIns(release: JsonMembers): string[] {
  const has = (...names: string[]) => names.some((name) => release[name] !== undefined && release[name] !== null);
  return [...(has('tender', 'awards', 'contracts') ? [SUBJECT] : []), ...(has('buyer', 'parties') ? [BUYER] : [])];
}

/** Includes details that are not expected without a tender or of its publisher. */
function details(release: JsonMembers, publisherUri: unknown): string[] {
  const given = findPublisher(typeof publisherUri === 'string' ? publisherUri : undefined)?.gives ?? [];
  const expected = release.tender === undefined ? [] : given;
  return DETAILS.filter((detail) => !expected.includes(detail) || isThere(release, detail.split('.')));
}

function isThere(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => isThere(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value !== undefined;
  return isObject(value) && Object.hasOwn(value, name) && isThere(value[name], rest);
}

function contactsIn(value: unknown, level = 0): unknown[] {
  if (level > MOST_LEVELS) return [];
  if (Array.isArray(value)) return value.flatMap((item) => contactsIn(item, level + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    CONTACTS.includes(name) ? [member] : contactsIn(member, level + 1),
  );
}

function noticePage(release: JsonMembers, publisherUri: unknown, document: Document): string {
  const tender = isObject(release.tender) ? release.tender : {};
  const documents = (Array.isArray(tender.documents) ? tender.documents : []).filter(isObject);
  const notices = documents.filter((one) => one.documentType === 'tenderNotice').map(({ url }) => url);
  const publisher = findPublisher(typeof publisherUri === 'string' ? publisherUri : undefined);
  const page = typeof tender.id === 'string' ? publisher?.noticePage?.(tender.id) : undefined;
  const others = documents.map(({ url }) => url);
  return firstWebAddress([...notices, page, ...others, document.uri, publisherUri], HOMEPAGE);
}
