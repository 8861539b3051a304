import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, type JsonMembers, readJson } from '../../extract/formats/json.ts';
import { Members } from '../../extract/formats/members.ts';
import { readText } from '../../extract/formats/text.ts';
import { hostnameOf } from '../../extract/values/hostnames.ts';
import { readRows, readXmlRecords } from './golden-copy.ts';
import { LEI, type LeiRecord, toParsed } from './lei-record.ts';

const LEIS_A_REQUEST = 100;
const HEAD_CHARACTERS = 4_096;

export function requestRecords({ settings }: RunContext): FetchRequest[] {
  const leis = (settings.get('leis') ?? '').split(/[\s,]+/).filter((lei) => LEI.test(lei));
  const requests: FetchRequest[] = [];
  for (let from = 0; from < leis.length; from += LEIS_A_REQUEST) {
    const query = new URLSearchParams({ 'filter[lei]': leis.slice(from, from + LEIS_A_REQUEST).join(',') });
    query.set('page[size]', String(LEIS_A_REQUEST));
    requests.push({ url: `https://api.gleif.org/api/v1/lei-records?${query}` });
  }
  return requests;
}

/** The API, or a golden copy in XML or CSV, which hold the same facts. */
export async function* parseRecords(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text.length >= HEAD_CHARACTERS, HEAD_CHARACTERS);
  if (head.startsWith('<')) yield* readXmlRecords(document, head);
  else if (/^"?LEI"?,/.test(head)) yield* readRows(document);
  else yield* readAnswer(document);
}

async function* readAnswer(document: Document): AsyncGenerator<Parsed> {
  const answer = readJson(await readText(document));
  const data = isObject(answer) ? answer.data : undefined;
  const items = Array.isArray(data) ? data : [data];
  for (const [position, item] of items.entries())
    yield isObject(item) && isObject(item.attributes)
      ? readAttributes(item.attributes, position + 1)
      : refused(document.uri, 'data', 'holds no record');
  const next = isObject(answer) && isObject(answer.links) ? answer.links.next : undefined;
  if (typeof next === 'string' && hostnameOf(next)) yield { type: 'follow_up', request: { url: next } };
}

function readAttributes(attributes: JsonMembers, position: number): Parsed {
  return toParsed(() => ofAttributes(new Members(attributes)), `record ${position}`);
}

function ofAttributes(record: Members): LeiRecord {
  const headquarters = 'entity.headquartersAddress';
  return {
    lei: record.text('lei'),
    entity: {
      legalName: { name: record.text('entity.legalName.name') },
      otherNames: record
        .list('entity.otherNames')
        .map((other) => ({ name: other.text('name'), type: other.text('type') })),
      headquartersAddress: {
        city: record.text(`${headquarters}.city`),
        region: record.text(`${headquarters}.region`),
        country: record.text(`${headquarters}.country`),
      },
      registeredAt: { id: record.text('entity.registeredAt.id') },
      registeredAs: record.text('entity.registeredAs'),
      jurisdiction: record.text('entity.jurisdiction'),
      category: record.text('entity.category'),
      status: record.text('entity.status'),
      successorEntities: [record.text('entity.successorEntity.lei'), ...successorsOf(record)].map((lei) => ({ lei })),
    },
    registration: {
      status: record.text('registration.status'),
      nextRenewalDate: record.text('registration.nextRenewalDate'),
    },
    bic: record.texts('bic'),
    ocid: record.text('ocid'),
    spglobal: record.texts('spglobal'),
  };
}

function successorsOf(record: Members): (string | undefined)[] {
  return record.list('entity.successorEntities').map((successor) => successor.text('lei'));
}
