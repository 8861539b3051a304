import type { Mapped, MappedCompany, MappedFormerName } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { findInstant } from '../../extract/values/dates.ts';
import { hostnameOf } from '../../extract/values/hostnames.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { checkCik } from '../families/edgar/header.ts';
import { countryOfCode, placeOfCode } from '../families/edgar/places.ts';
import { profileObservation } from '../families/profile/profile.ts';

const STATE = 'addresses.business.stateOrCountry';
const NO_EIN = /^0*$/;

export function extractProfile(content: string): string {
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

export function mapProfile(raw: RawRecord, text: string): Mapped[] {
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
