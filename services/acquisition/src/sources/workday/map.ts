import type { CountryName } from '@ces/proto/catalog';
import { readInstant } from '../../extract/dates.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { countryNamed, countryOfPlace } from '../../extract/places.ts';
import { plainLine, plainText } from '../../extract/plain.ts';
import { employerCompany } from '../../jobs/employer-company.ts';
import { countryOfWork } from '../../jobs/place.ts';
import { mapPosting } from '../../jobs/posting.ts';
import type { Mapped, MappedCompany } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';

/** Title and place, then the description. */
export function extractPosting(content: string): string {
  const posting = readMembers(content);
  const lines = [
    plainLine(posting.text('title')),
    plainLine(posting.text('location') ?? posting.text('locationsText')),
    plainText(posting.text('jobDescription')),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** A posting, and the tools that it names. */
export function mapSitePosting(raw: RawRecord, text: string): Mapped[] {
  const posting = readMembers(raw.content);
  if (posting.flag('isList'))
    return [{ type: 'left_out', reason: 'a list tells no date and no country; the page of the posting does' }];
  if (posting.flag('canApply') === false) return [{ type: 'left_out', reason: 'nobody can apply any more' }];
  const employer = countryNamed(posting.text('employer.country'));
  const { country, place } = workOf(posting, employer);
  const site = posting.text('site') ?? refuse('externalUrl', 'names no career site');
  return mapPosting(
    {
      board: `workday ${site}`,
      id: posting.text('jobReqId') ?? posting.need('id'),
      title: plainLine(posting.need('title')),
      company: companyOf(posting, site, employer ?? country),
      country,
      place,
      publishedAt: readInstant('startDate', posting.need('startDate')),
      description: plainText(posting.need('jobDescription')),
    },
    text,
  );
}

/** The first of its places in Canada or the United States; `country` is that of the posting's own place. */
function workOf(posting: Members, employer: CountryName | undefined) {
  const place = posting.text('location');
  const country = posting.text('country.descriptor');
  if (country !== undefined && !countryNamed(country)) {
    const other = posting.texts('additionalLocations').find((one) => countryOfPlace(one));
    const named = countryOfPlace(other);
    if (named && other) return { country: named, place: plainLine(other) };
  }
  const remote = /\bremote\b/i.test(`${place ?? ''} ${posting.text('remoteType') ?? ''}`);
  return {
    country: countryOfWork({ field: 'location', place, country, remote, employer }),
    place: place && plainLine(place),
  };
}

/** A site is named by its employer's name for itself, unless the operator knows the name. */
function companyOf(posting: Members, site: string, country: CountryName): MappedCompany {
  const tenant = site.split('.')[0] ?? site;
  return employerCompany(posting, { key: `tenant ${tenant}`, name: tenant, country });
}
