import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { isObject, type JsonMembers, readJson, scalarText } from '../../extract/formats/json.ts';
import { readText } from '../../extract/formats/text.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { firstWebAddress, pathPart } from '../../extract/values/web-address.ts';
import { readEmployers } from '../families/jobs/employers.ts';

export const HOMEPAGE = 'https://developers.smartrecruiters.com/docs/posting-api';
const API = 'https://api.smartrecruiters.com/v1/companies';
const PAGE = 100;
/** Internal values, people, and addresses of forms. */
const LEFT_OUT = ['customField', 'creator', 'applyUrl', 'referralUrl', 'ref', 'actions'];

export function requestCompanies({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('companies')).map(({ board }) => requestPage(board, 0));
}

/** A page shows daily which postings are open. Their descriptions are documents fetched once. */
export async function* parsePostings(document: Document): AsyncGenerator<Parsed> {
  const answer = readJson(await readText(document));
  if (!isObject(answer)) yield refused(document.uri, 'document', 'is no JSON object');
  else if (Array.isArray(answer.content)) yield* parsePage(answer.content, document);
  else yield toRecord(answer, document, 1);
}

function* parsePage(items: readonly unknown[], document: Document): Generator<Parsed> {
  for (const [index, item] of items.entries()) {
    const posting = isObject(item) ? item : {};
    yield toRecord(posting, document, index + 1);
    const request = requestPosting(posting);
    if (request) yield { type: 'follow_up', request };
  }
  const { company, offset } = document.about;
  if (company !== undefined && items.length >= PAGE)
    yield { type: 'follow_up', request: requestPage(company, Number(offset) + PAGE) };
}

function requestPage(company: string, offset: number): FetchRequest {
  return {
    url: `${API}/${encodeURIComponent(company)}/postings?limit=${PAGE}&offset=${offset}`,
    about: { company, offset: String(offset) },
  };
}

function requestPosting({ id, company, location }: JsonMembers): FetchRequest | undefined {
  const identifier = isObject(company) ? company.identifier : undefined;
  const country = isObject(location) && typeof location.country === 'string' ? location.country : undefined;
  if (typeof id !== 'string' || typeof identifier !== 'string' || !countryNamed(country)) return undefined;
  const url = `${API}/${pathPart(identifier)}/postings/${pathPart(id)}`;
  return { url, once: true };
}

function toRecord(posting: JsonMembers, document: Document, position: number): Parsed {
  const identifier = isObject(posting.company) ? scalarText(posting.company.identifier) : '';
  const employer = readEmployers(document.settings.get('companies')).find((one) => one.board === identifier);
  const id = typeof posting.id === 'string' ? posting.id.trim() : '';
  const page = `https://jobs.smartrecruiters.com/${pathPart(identifier)}/${pathPart(id)}`;
  const key = id ? `${identifier}/${id}${isObject(posting.jobAd) ? '/ad' : ''}` : `posting ${position}`;
  const uri = firstWebAddress([posting.postingUrl, id && identifier ? page : undefined], HOMEPAGE);
  return keptRecord({ key, uri }, { ...posting, employer }, LEFT_OUT);
}
