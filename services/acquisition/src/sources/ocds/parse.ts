import { refused } from '../../connector/refuse.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems, readJsonLines, readJsonObjects } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { DETAILS, findPublisher } from './publisher.ts';

/** Without JSON in the first line, the document is a package. */
const MAX_FIRST_LINE = 1024 * 1024;

/** Releases that wait for their publisher, which a package writes first. */
const MAX_WAITING = 2_000;

const MOST_LEVELS = 6;

export async function* parsePackage(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (head) => /^\[|\n/.test(head), MAX_FIRST_LINE);
  if (head.startsWith('[')) yield* parseItems(document);
  else if (isJson(head.split('\n', 1)[0] ?? '')) yield* parseLines(document);
  else yield* parseMembers(document);
}

async function* parseItems(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    yield* packageRecords(item, undefined, document, `item ${position}`);
  }
}

async function* parseLines(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readJsonLines(document)) {
    if (item.type === 'refused') yield item;
    else yield* packageRecords(item.value, undefined, document, `line ${item.line}`);
  }
}

async function* parseMembers(document: Document): AsyncGenerator<Parsed> {
  let publisher: JsonMembers | undefined;
  let position = 0;
  const waiting: { readonly value: unknown; readonly position: string }[] = [];
  for await (const { member, value } of readJsonObjects(document, ['publisher', 'releases', 'records'])) {
    if (member === 'publisher') publisher = isObject(value) ? value : undefined;
    else {
      position += 1;
      waiting.push({ value, position: `${member} ${position}` });
    }
    if (!publisher && waiting.length < MAX_WAITING) continue;
    for (const one of waiting.splice(0)) yield* packageRecords(one.value, publisher, document, one.position);
  }
  for (const one of waiting) yield* packageRecords(one.value, publisher, document, one.position);
}

function* packageRecords(
  value: unknown,
  outer: JsonMembers | undefined,
  document: Document,
  position: string,
  level = 1,
): Generator<Parsed> {
  if (!isObject(value) || level > MOST_LEVELS) {
    const reason = isObject(value) ? `is packed more than ${MOST_LEVELS} times` : 'is no object';
    yield refused(position, 'release', reason);
    return;
  }
  const publisher = isObject(value.publisher) ? value.publisher : outer;
  const inner = isObject(value.compiledRelease) ? [value.compiledRelease] : (value.releases ?? value.records);
  if (!Array.isArray(inner)) yield releaseRecord(value, publisher, document, position);
  else
    for (const [index, release] of inner.entries())
      yield* packageRecords(release, publisher, document, `${position}.${index + 1}`, level + 1);
}

function isJson(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

export const HOMEPAGE = 'https://standard.open-contracting.org/';

export const SUBJECT = 'tender, awards or contracts';
export const BUYER = 'buyer or parties';

const MOST_MEMBER_LEVELS = 20;
const CONTACTS = ['contactPoint', 'contactPoints', 'email', 'telephone', 'faxNumber', 'memberOf', 'persones'];

function releaseRecord(
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
  if (level > MOST_MEMBER_LEVELS) return [];
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
