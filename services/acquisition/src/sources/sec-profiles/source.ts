import type { Mapped, MappedCompany, MappedFormerName } from '../../connector/mapped.ts';
import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RawRecord, RunContext, Source } from '../../connector/source.ts';
import { isObject, type JsonMembers, readJson } from '../../extract/formats/json.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { readText } from '../../extract/formats/text.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { findInstant } from '../../extract/values/dates.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { hostnameOf } from '../../extract/values/web-address.ts';
import { checkCik } from '../families/edgar/header.ts';
import { countryOfCode, placeOfCode } from '../families/edgar/places.ts';
import { DATA_HOST, DATA_PER_SECOND, EDGAR_TERMS, FILES_HOST } from '../families/edgar/terms.ts';
import { profileObservation } from '../families/profile/profile.ts';

const TICKERS = 'https://www.sec.gov/files/company_tickers.json';
const LEFT_OUT = ['phone', 'filings', 'insiderTransactionForOwnerExists', 'insiderTransactionForIssuerExists', 'flags'];
const COMPANIES_A_RUN = 1_000;
const STATE = 'addresses.business.stateOrCountry';
const NO_EIN = /^0*$/;

export const secProfiles: Source = {
  name: 'sec_profiles',
  title: 'SEC EDGAR, companies that file',
  ...EDGAR_TERMS,
  kinds: ['company_profile'],
  hosts: [DATA_HOST, FILES_HOST],
  politeness: { requestsPerSecond: DATA_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 1_100 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: {
    required: ['cik', 'name', 'entityType', 'sicDescription', 'addresses.business.stateOrCountry'],
    usual: [],
  },
  extractorVersion: 2,
  mappingVersion: 2,
  requests: requestProfiles,
  parse: parseProfiles,
  extract: extractProfile,
  map: mapProfile,
};

/**
 * Continues after the last company of the previous run. The unsent fragment makes an unchanged list
 * a new document every day.
 */
function requestProfiles({ now, watermark = '0' }: RunContext): FetchRequest[] {
  const mark = `${now.toISOString().slice(0, 10)}-${watermark}`;
  return [{ url: `${TICKERS}#${mark}`, about: { after: watermark } }];
}

async function* parseProfiles(document: Document): AsyncGenerator<Parsed> {
  const value = readJson(await readText(document));
  if (!isObject(value)) yield refused(document.uri, 'document', 'is no JSON object');
  else if (value.cik !== undefined || value.filings !== undefined) yield toRecord(value, document);
  else yield* parseCompanies(value, document);
}

function toRecord(submissions: JsonMembers, { uri }: Document): Parsed {
  const cik = /^\d{1,10}$/.test(String(submissions.cik)) ? String(submissions.cik).padStart(10, '0') : undefined;
  const page = `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany${cik ? `&CIK=${cik}` : ''}`;
  return keptRecord({ key: cik ?? uri, uri: page }, submissions, LEFT_OUT);
}

function* parseCompanies(list: JsonMembers, document: Document): Generator<Parsed> {
  const entries = Object.values(list).map((entry) => (isObject(entry) ? entry.cik_str : undefined));
  const ciks = [...new Set(entries.filter((cik) => typeof cik === 'number' && Number.isSafeInteger(cik) && cik > 0))];
  if (ciks.length === 0) yield refused(document.uri, 'cik_str', 'is missing from every entry');
  const after = Number(document.about.after ?? 0);
  const sorted = ciks.map(Number).sort((a, b) => a - b);
  const next = sorted.filter((cik) => cik > after).slice(0, COMPANIES_A_RUN);
  for (const cik of next)
    yield {
      type: 'follow_up',
      request: { url: `https://${DATA_HOST}/submissions/CIK${String(cik).padStart(10, '0')}.json` },
    };
  const last = next.at(-1);
  yield { type: 'newest', watermark: String(last === undefined || last === sorted.at(-1) ? 0 : last) };
}

function extractProfile(content: string): string {
  const company = readMembers(content);
  return labelledLines([
    ['Company', company.text('name')],
    ['Industry', company.text('sicDescription')],
    ['Description', company.text('description')],
    ['Place', placeOf(company)],
    ['Incorporated in', placeOfCode(company.text('stateOfIncorporation'))],
    ['Listed as', listingOf(company)],
    ['Filer category', company.text('category')],
    ['Website', company.text('website')],
    ['CIK', company.text('cik')],
    ['EIN', company.text('ein')],
    [
      'Former names',
      company
        .list('formerNames')
        .flatMap((former) => former.text('name') ?? [])
        .join('; '),
    ],
  ]);
}

function mapProfile(raw: RawRecord, text: string): Mapped[] {
  const row = readMembers(raw.content);
  if (row.need('entityType') !== 'operating')
    return [{ type: 'left_out', reason: 'the filer is no operating company' }];
  const company = companyOf(row);
  const listing = listingOf(row);
  const place = placeOf(row);
  const industry = plainLine(row.need('sicDescription'));
  const observedFact = `${company.name} files with the SEC as a company in ${industry}${place ? `, based in ${place}` : ''}${listing ? `, listed as ${listing}` : ''}`;
  const title = `${company.name}, ${industry}`;
  return [profileObservation({ company, observedFact, title, field: 'name' }, text)];
}

function companyOf(row: Members): MappedCompany {
  const website = hostnameOf(row.text('website'));
  const name = plainLine(row.need('name'));
  const [lei, ein] = [row.text('lei'), row.text('ein')];
  return {
    name,
    country: countryOfCode(STATE, row.text(STATE)),
    hostnames: website ? [website] : [],
    identifiers: [
      { scheme: 'cik', value: checkCik(row.text('cik')) },
      ...(lei ? [{ scheme: 'lei' as const, value: lei }] : []),
      ...(ein && !NO_EIN.test(ein) ? [{ scheme: 'ein' as const, value: ein }] : []),
    ],
    formerNames: row.list('formerNames').flatMap((former) => formerNameOf(former, name)),
  };
}

/** Drops another spelling of the present name. */
function formerNameOf(former: Members, nameNow: string): MappedFormerName[] {
  const name = plainLine(former.text('name') ?? '');
  if (name === '' || name.toLowerCase() === nameNow.toLowerCase()) return [];
  const [since, until] = [findInstant(former.text('from')), findInstant(former.text('to'))];
  return [{ name, ...(since && { since }), ...(until && { until }) }];
}

function placeOf(row: Members): string {
  const region = placeOfCode(row.text(STATE));
  return [row.text('addresses.business.city'), region].filter(Boolean).join(', ');
}

function listingOf(row: Members): string | undefined {
  const [ticker] = row.texts('tickers');
  const [exchange] = row.texts('exchanges');
  return ticker && exchange ? `${ticker} (${exchange})` : ticker;
}
