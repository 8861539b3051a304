import { hostnameOf } from '../../extract/hostnames.ts';
import { isObject, type JsonMembers, readJson } from '../../extract/json.ts';
import { fieldNames, jsonContent } from '../../extract/members.ts';
import { readText } from '../../extract/text.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../source.ts';

export const HOMEPAGE = 'https://www.gleif.org/en/lei-data/gleif-api';

/** The interface takes this many LEIs in one request. */
const LEIS_A_REQUEST = 100;
const LEI = /^[0-9A-Z]{18}\d{2}$/;

/** The records of the LEIs that the operator named. */
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

/** One record, or a page of them. */
export async function* parseRecords(document: Document): AsyncGenerator<Parsed> {
  const answer = readJson(await readText(document));
  const data = isObject(answer) ? answer.data : undefined;
  const items = Array.isArray(data) ? data : [data];
  for (const [position, item] of items.entries())
    yield isObject(item) ? toRecord(item, position + 1) : refused(document);
  const next = isObject(answer) && isObject(answer.links) ? answer.links.next : undefined;
  if (typeof next === 'string' && hostnameOf(next)) yield { type: 'follow_up', request: { url: next } };
}

function toRecord(item: JsonMembers, position: number): Parsed {
  const lei = typeof item.id === 'string' && LEI.test(item.id) ? item.id : undefined;
  const content = jsonContent(item.attributes ?? {});
  return {
    type: 'record',
    record: {
      key: lei ?? `record ${position}`,
      uri: lei ? `https://search.gleif.org/#/record/${lei}` : HOMEPAGE,
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}

function refused({ uri }: Document): Parsed {
  return { type: 'refused', refusal: { key: uri.slice(0, 400), field: 'data', reason: 'holds no record' } };
}
