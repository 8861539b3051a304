import { isObject, type JsonMembers, readJson } from '../../extract/json.ts';
import { keptContent } from '../../extract/kept-content.ts';
import { fieldNames } from '../../extract/members.ts';
import { readText } from '../../extract/text.ts';
import { firstWebAddress } from '../../extract/web-address.ts';
import { CAREER_SITE, readEmployers } from '../../jobs/employers.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../source.ts';

export const HOMEPAGE = 'https://www.workday.com/';
/** Most that a site answers in one page. */
const PAGE = 20;
/** Of a posting: addresses of forms, and questions to who applies. */
const LEFT_OUT = ['questionnaireId', 'logoImage', 'similarJobs', 'userAuthenticated', 'postedOn', 'timeLeftToApply'];

export function requestSites({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('sites'), CAREER_SITE).map(({ board }) => requestPage(board, 0));
}

/**
 * A page of a site's list, which leads to its postings, or one posting. A list tells neither when nor where: from a file it
 * brings records that say so.
 */
export async function* parseSite(document: Document): AsyncGenerator<Parsed> {
  const answer = readJson(await readText(document));
  const { jobPostings, jobPostingInfo: posting } = isObject(answer) ? answer : {};
  if (Array.isArray(jobPostings)) yield* parseList(jobPostings, document);
  else if (isObject(posting)) yield toRecord(posting, document, 'posting', posting.jobReqId ?? posting.id);
  else {
    const refusal = { key: document.uri.slice(0, 400), field: 'jobPostingInfo', reason: 'is missing' };
    yield { type: 'refused', refusal };
  }
}

function* parseList(rows: readonly unknown[], document: Document): Generator<Parsed> {
  const { site, offset } = document.about;
  for (const [index, item] of rows.entries()) {
    const row = isObject(item) ? item : {};
    const request = site === undefined ? undefined : requestPosting(site, row.externalPath);
    if (site === undefined) yield toRecord({ ...row, isList: true }, document, `row ${index + 1}`, row.externalPath);
    else if (request) yield { type: 'follow_up', request };
  }
  if (site !== undefined && rows.length >= PAGE)
    yield { type: 'follow_up', request: requestPage(site, Number(offset) + PAGE) };
}

function requestPage(site: string, offset: number): FetchRequest {
  return {
    url: `${apiOf(site)}/jobs`,
    body: JSON.stringify({ appliedFacets: {}, limit: PAGE, offset, searchText: '' }),
    about: { site, offset: String(offset) },
  };
}

function requestPosting(site: string, path: unknown): FetchRequest | undefined {
  if (typeof path !== 'string' || !/^\/job\/[^?#\s]{1,500}$/.test(path)) return undefined;
  return { url: `${apiOf(site)}${path}`, about: { site } };
}

/** `acme.wd5/Careers` has its interface at `https://acme.wd5.myworkdayjobs.com/wday/cxs/acme/Careers`. */
function apiOf(site: string): string {
  const [host = '', name = ''] = site.split('/');
  return `https://${host}.myworkdayjobs.com/wday/cxs/${host.split('.')[0]}/${name}`;
}

function toRecord(posting: JsonMembers, document: Document, otherwise: string, id: unknown): Parsed {
  const { site = siteOf(posting.externalUrl) } = document.about;
  const employer = readEmployers(document.settings.get('sites'), CAREER_SITE).find(({ board }) => board === site);
  const content = keptContent({ ...posting, site, employer }, LEFT_OUT);
  return {
    type: 'record',
    record: {
      key: typeof id === 'string' && id !== '' ? `${site ?? 'site'}/${id}`.slice(0, 400) : otherwise,
      uri: firstWebAddress([posting.externalUrl, document.uri], HOMEPAGE),
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}

/** `acme.wd5/Careers` in `https://acme.wd5.myworkdayjobs.com/Careers/job/Austin/Welder_R1`, with or without a language before it. */
function siteOf(address: unknown): string | undefined {
  const match =
    typeof address === 'string'
      ? /^https:\/\/([\w-]+\.wd\d+)\.myworkdayjobs\.com\/(?:[a-z]{2}-[A-Z]{2}\/)?([\w.-]+)\//.exec(address)
      : null;
  return match ? `${match[1]}/${match[2]}` : undefined;
}
