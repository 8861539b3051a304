import type { CountryName } from '@ces/proto/catalog';
import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { employerCompany } from '../families/jobs/employer-company.ts';
import { countryOfWork } from '../families/jobs/place.ts';
import { mapPosting } from '../families/jobs/posting.ts';

const SECTIONS = ['companyDescription', 'jobDescription', 'qualifications', 'additionalInformation'];
const LABELS = ['department', 'function', 'industry', 'typeOfEmployment', 'experienceLevel'];

export function extractPosting(content: string): string {
  const posting = readMembers(content);
  const lines = [
    plainLine(posting.text('name')),
    plainLine(posting.text('company.name')),
    plainLine(placeOf(posting)),
    ...LABELS.map((label) => plainLine(posting.text(`${label}.label`))),
  ];
  return [...new Set([...lines, descriptionOf(posting)])].filter((line) => line !== '').join('\n');
}

export function mapSitePosting(raw: RawRecord, text: string): Mapped[] {
  const posting = readMembers(raw.content);
  const visibility = posting.text('visibility') ?? 'PUBLIC';
  if (visibility !== 'PUBLIC') return [{ type: 'left_out', reason: 'is not open to everybody' }];
  const employer = countryNamed(posting.text('employer.country'));
  const place = placeOf(posting);
  const country = countryOfWork({
    field: 'location',
    place,
    country: posting.text('location.country'),
    remote: posting.flag('location.remote') === true,
    employer,
  });
  const company = companyOf(posting, employer ?? country);
  return mapPosting(
    {
      board: `smartrecruiters ${posting.need('company.identifier')}`,
      id: posting.need('id'),
      title: plainLine(posting.need('name')),
      company,
      country,
      place: place && plainLine(place),
      publishedAt: readInstant('releasedDate', posting.need('releasedDate')),
      description: descriptionOf(posting),
    },
    text,
  );
}

function placeOf(posting: Members): string | undefined {
  const parts = [posting.text('location.city'), posting.text('location.region')].filter((part) => part !== undefined);
  return posting.text('location.fullLocation') ?? (parts.length > 0 ? parts.join(', ') : undefined);
}

function descriptionOf(posting: Members): string {
  return SECTIONS.map((section) => plainText(posting.text(`jobAd.sections.${section}.text`)))
    .filter((part) => part !== '')
    .join('\n');
}

function companyOf(posting: Members, country: CountryName): MappedCompany {
  const identifier = posting.need('company.identifier');
  const name = posting.text('company.name') ?? identifier;
  return employerCompany(posting, { key: `company ${identifier}`, name, country });
}
