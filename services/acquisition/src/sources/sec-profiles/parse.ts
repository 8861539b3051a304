import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { isObject, type JsonMembers, readJson } from '../../extract/formats/json.ts';
import { readText } from '../../extract/formats/text.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { DATA_HOST } from '../families/edgar/terms.ts';

const LEFT_OUT = ['phone', 'filings', 'insiderTransactionForOwnerExists', 'insiderTransactionForIssuerExists', 'flags'];
const TICKERS = 'https://www.sec.gov/files/company_tickers.json';
const COMPANIES_A_RUN = 1_000;

/**
 * Continues after the last company of the previous run. The unsent fragment makes an unchanged list
 * a new document every day.
 */
export function requestProfiles({ now, watermark = '0' }: RunContext): FetchRequest[] {
  const mark = `${now.toISOString().slice(0, 10)}-${watermark}`;
  return [{ url: `${TICKERS}#${mark}`, about: { after: watermark } }];
}

export async function* parseProfiles(document: Document): AsyncGenerator<Parsed> {
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
