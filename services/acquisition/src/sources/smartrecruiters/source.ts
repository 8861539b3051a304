import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RunContext, Source } from '../../connector/source.ts';
import { isObject, type JsonMembers, readJson, scalarText } from '../../extract/formats/json.ts';
import type { Members } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { readText } from '../../extract/formats/text.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { firstWebAddress, pathPart } from '../../extract/values/web-address.ts';
import { readEmployers } from '../families/jobs/employers.ts';
import { jobSource } from '../families/jobs/job-source.ts';

const HOMEPAGE = 'https://developers.smartrecruiters.com/docs/posting-api';
const API = 'https://api.smartrecruiters.com/v1/companies';
const PAGE = 100;
/** Internal values, people, and addresses of forms. */
const LEFT_OUT = ['customField', 'creator', 'applyUrl', 'referralUrl', 'ref', 'actions'];
const SECTIONS = ['companyDescription', 'jobDescription', 'qualifications', 'additionalInformation'];
const LABELS = ['department', 'function', 'industry', 'typeOfEmployment', 'experienceLevel'];

export const smartrecruiters: Source = jobSource({
  name: 'smartrecruiters',
  title: 'Job postings on SmartRecruiters',
  publisher: 'The employers of the postings',
  attribution: 'Job postings of the employer on SmartRecruiters',
  homepage: HOMEPAGE,
  hosts: ['api.smartrecruiters.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 2_000 },
  setting: 'companies',
  fields: {
    required: ['id', 'name', 'releasedDate', 'company.identifier', 'location'],
    usual: ['company.name', 'location.country', 'location.city'],
  },
  requests: requestCompanies,
  parse: parsePostings,
  lines: (posting) => {
    const labels = LABELS.map((label) => posting.text(`${label}.label`));
    const lines = [posting.text('name'), posting.text('company.name'), placeOf(posting), ...labels].map(plainLine);
    return new Set([...lines, descriptionOf(posting)]);
  },
  leaveOut: (posting) =>
    (posting.text('visibility') ?? 'PUBLIC') === 'PUBLIC' ? undefined : 'is not open to everybody',
  read: (posting) => {
    const identifier = posting.need('company.identifier');
    return {
      board: `smartrecruiters ${identifier}`,
      id: posting.need('id'),
      title: plainLine(posting.need('name')),
      company: { key: `company ${identifier}`, name: posting.text('company.name') ?? identifier },
      work: {
        field: 'location',
        place: placeOf(posting),
        country: posting.text('location.country'),
        remote: posting.flag('location.remote') === true,
      },
      publishedAt: readInstant('releasedDate', posting.need('releasedDate')),
      description: descriptionOf(posting),
    };
  },
});

function placeOf(posting: Members): string | undefined {
  const parts = [posting.text('location.city'), posting.text('location.region')].filter((part) => part !== undefined);
  return posting.text('location.fullLocation') ?? (parts.length > 0 ? parts.join(', ') : undefined);
}

function descriptionOf(posting: Members): string {
  return SECTIONS.map((section) => plainText(posting.text(`jobAd.sections.${section}.text`)))
    .filter((part) => part !== '')
    .join('\n');
}

function requestCompanies({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('companies')).map(({ board }) => requestPage(board, 0));
}

/** A page shows daily which postings are open. Their descriptions are documents fetched once. */
async function* parsePostings(document: Document): AsyncGenerator<Parsed> {
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
