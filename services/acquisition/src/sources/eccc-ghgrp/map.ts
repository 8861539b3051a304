import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { countryOfRegion } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { profileObservation } from '../families/profile/profile.ts';
import {
  BUSINESS_NUMBER,
  CITY,
  DUNS,
  FACILITY,
  ID,
  INDUSTRY,
  LEGAL_NAME,
  NAICS,
  PROVINCE,
  TRADE_NAME,
  YEAR,
} from './columns.ts';

export function extractFacility(content: string): string {
  const report = readMembers(content);
  return labelledLines([
    ['Company', report.text(LEGAL_NAME)],
    ['Trade name', tradeNameOf(report)],
    ['Facility', report.text(FACILITY)],
    ['Place', placeOf(report)],
    ['Industry', [report.text(NAICS), report.text(INDUSTRY)].filter(Boolean).join(' ')],
    ['Report', [report.text(ID), report.text(YEAR)].filter(Boolean).join(', ')],
  ]);
}

export function mapFacility(raw: RawRecord, text: string): Mapped[] {
  const report = readMembers(raw.content);
  const company = companyOf(report);
  const facility = plainLine(report.need(FACILITY));
  const industry = [report.text(NAICS), report.text(INDUSTRY)].filter(Boolean).join(' ');
  const sector = sectorOf(report.text(NAICS));
  const known = tradeNameOf(report);
  const observedFact =
    `${company.name}${known ? ` (trade name ${known})` : ''} operates ${facility} in ${placeOf(report)}` +
    `${industry && ` (NAICS ${industry})`}, by its greenhouse gas report for ${report.need(YEAR)}`;
  const title = `${facility} ${report.need(ID)}`;
  return [profileObservation({ company, observedFact, title, sector, field: LEGAL_NAME }, text)];
}

function companyOf(report: Members): MappedCompany {
  if (countryOfRegion(report.need(PROVINCE)) !== 'CA') refuse(PROVINCE, 'is none of Canada');
  return {
    name: plainLine(report.need(LEGAL_NAME)),
    country: 'CA',
    hostnames: [],
    identifiers: companyNumbers({ bn: report.text(BUSINESS_NUMBER), duns: report.text(DUNS) }),
  };
}

function tradeNameOf(report: Members): string | undefined {
  const [trade, legal] = [plainLine(report.text(TRADE_NAME)), plainLine(report.text(LEGAL_NAME))];
  return trade !== '' && trade.toLowerCase() !== legal.toLowerCase() ? trade : undefined;
}

function placeOf(report: Members): string {
  return [report.text(CITY), report.text(PROVINCE)].filter(Boolean).map(plainLine).join(', ');
}
