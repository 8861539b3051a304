import { DateTime } from 'luxon';
import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { hostnameOf } from '../../extract/values/hostnames.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { SBIR_HOMEPAGE, SBIR_HOST } from '../families/sbir/terms.ts';

const ROWS = 500;
/** Agencies report awards for months after their year. */
const YEARS = 2;
const LAST_START = 20_000;

/** Persons, and streets, which are often founders' homes. */
const NOT_KEPT = [
  ...['poc_name', 'poc_title', 'poc_phone', 'poc_email'],
  ...['pi_name', 'pi_title', 'pi_phone', 'pi_email'],
  ...['ri_poc_name', 'ri_poc_phone', 'address1', 'address2'],
];

export function requestAwards({ now }: RunContext): FetchRequest[] {
  const { year } = DateTime.fromJSDate(now, { zone: 'utc' });
  return Array.from({ length: YEARS }, (_, before) => pageOf(String(year - before), 0));
}

function pageOf(year: string, start: number): FetchRequest {
  const query = new URLSearchParams({ year, rows: String(ROWS), start: String(start) });
  return { url: `https://${SBIR_HOST}/public/api/awards?${query}`, about: { year, start: String(start) } };
}

export async function* parseAwards(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    yield toRecord(isObject(item) ? item : {}, position);
  }
  const { year, start = '' } = document.about;
  const next = Number(start) + ROWS;
  if (year && position >= ROWS && next <= LAST_START) yield { type: 'follow_up', request: pageOf(year, next) };
}

function toRecord(award: JsonMembers, position: number): Parsed {
  const names = contactNames([award.poc_name, award.pi_name, award.ri_poc_name]);
  const website = Object.hasOwn(award, 'company_url') ? { company_url: websiteOf(award.company_url) } : {};
  const key = keyOf(award) ?? `award ${position}`;
  const uri = firstWebAddress([award.award_link], SBIR_HOMEPAGE);
  return keptRecord({ key, uri }, { ...award, ...website }, NOT_KEPT, names);
}

/** The agency's numbers: addresses of pages have changed before. */
function keyOf({ agency, contract, agency_tracking_number: tracking }: JsonMembers): string | undefined {
  if (typeof agency !== 'string' || typeof contract !== 'string') return undefined;
  const numbers = [agency, contract, typeof tracking === 'string' ? tracking : ''].map((part) => part.trim());
  return numbers[0] && (numbers[1] || numbers[2]) ? numbers.join('/') : undefined;
}

/** Some firms write an e-mail address there. */
function websiteOf(address: unknown): string {
  return typeof address === 'string' && !address.includes('@') ? (hostnameOf(address) ?? '') : '';
}
