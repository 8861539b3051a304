import { fieldNames, jsonContent } from '../../extract/members.ts';
import type { Document, Parsed } from '../source.ts';
import { findPublisher } from './publisher.ts';

export type JsonMembers = Readonly<Record<string, unknown>>;

/** A release speaks of one of these; the names stand in for the member that a record lacks. */
export const SUBJECT = 'tender, awards or contracts';
export const BUYER = 'buyer or parties';

const CONTACTS = ['contactPoint', 'contactPoints', 'email', 'telephone', 'faxNumber', 'memberOf', 'persones'];

/** One release as a raw record, with what its package says of the publisher. */
export function releaseRecord(
  release: JsonMembers,
  publisher: JsonMembers | undefined,
  document: Document,
  place: string,
): Parsed {
  const ocid = typeof release.ocid === 'string' ? release.ocid.trim().slice(0, 400) : '';
  const known = { name: publisher?.name, uri: publisher?.uri ?? publisher?.uri_en };
  return {
    type: 'record',
    record: {
      key: ocid || place,
      uri: noticePage(release, known.uri, ocid) ?? document.uri,
      content: jsonContent({ ...release, publisher: known }, CONTACTS),
      fields: [...fieldNames(release), ...standIns(release)],
    },
  };
}

function standIns(release: JsonMembers): string[] {
  const has = (...names: string[]) => names.some((name) => release[name] !== undefined && release[name] !== null);
  return [...(has('tender', 'awards', 'contracts') ? [SUBJECT] : []), ...(has('buyer', 'parties') ? [BUYER] : [])];
}

/** The notice among the documents, else the publisher's page of it, else its first document. */
function noticePage(release: JsonMembers, publisherUri: unknown, ocid: string): string | undefined {
  const tender = isObject(release.tender) ? release.tender : {};
  const documents = (Array.isArray(tender.documents) ? tender.documents : []).filter(isObject);
  const notice = documents.find((one) => one.documentType === 'tenderNotice' && isWebAddress(one.url));
  const page = findPublisher(typeof publisherUri === 'string' ? publisherUri : undefined)?.noticePage?.(ocid);
  const first = documents.find((one) => isWebAddress(one.url));
  return [notice?.url, page, first?.url].find(isWebAddress);
}

function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && url.length <= 2048 && /^https?:\/\//i.test(url) && URL.canParse(url);
}

export function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
