import type { CountryName } from '@ces/proto/catalog';
import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { employerCompany } from '../families/jobs/employer-company.ts';
import { countryOfWork } from '../families/jobs/place.ts';
import { mapPosting } from '../families/jobs/posting.ts';

export function extractJob(content: string): string {
  const job = readMembers(content);
  const lines = [
    plainLine(job.text('title')),
    plainLine(job.text('location')),
    plainLine(job.text('department')),
    plainLine(job.text('team')),
    plainText(job.text('descriptionPlain')),
  ];
  return [...new Set(lines)].filter((line) => line !== '').join('\n');
}

/** A posting that its board does not list is not public. */
export function mapJob(raw: RawRecord, text: string): Mapped[] {
  const job = readMembers(raw.content);
  if (job.flag('isListed') === false) return [{ type: 'left_out', reason: 'is not listed on the board' }];
  const employer = countryNamed(job.text('employer.country'));
  const { country, place } = workOf(job, employer);
  return mapPosting(
    {
      board: `ashby ${job.text('board') ?? ''}`.trim(),
      id: job.need('id'),
      title: plainLine(job.need('title')),
      company: companyOf(job, employer ?? country),
      country,
      place,
      publishedAt: readInstant('publishedAt', job.need('publishedAt')),
      description: plainText(job.need('descriptionPlain')),
    },
    text,
  );
}

/** The posting's own place precedes secondary ones. */
function workOf(job: Members, employer: CountryName | undefined) {
  for (const at of [job, ...job.list('secondaryLocations')]) {
    const country = countryNamed(at.text('address.postalAddress.addressCountry'));
    if (country) return { country, place: plainLine(placeOf(at)) };
  }
  const place = plainLine(job.need('location'));
  const country = countryOfWork({
    field: 'location',
    place,
    country: job.text('address.postalAddress.addressCountry'),
    remote: job.flag('isRemote') === true,
    employer,
  });
  return { country, place };
}

function placeOf(at: Members): string {
  const name = at.need('location');
  const region = at.text('address.postalAddress.addressRegion');
  return region && !name.includes(region) ? `${name}, ${region}` : name;
}

/** A board has no name but the one in its address, unless the operator supplies it. */
function companyOf(job: Members, country: CountryName): MappedCompany {
  const board = job.text('board') ?? refuse('jobUrl', 'names no board');
  return employerCompany(job, { key: `board ${board}`, name: board, country });
}
