import type { CountryName } from '@ces/proto/catalog';
import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { employerCompany } from '../families/jobs/employer-company.ts';
import { countryOfWork } from '../families/jobs/place.ts';
import { mapPosting } from '../families/jobs/posting.ts';

export function extractPosting(content: string): string {
  const posting = readMembers(content);
  const lines = [
    plainLine(posting.text('text')),
    plainLine(posting.text('categories.location')),
    plainLine(posting.text('categories.team')),
    descriptionOf(posting),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

export function mapSitePosting(raw: RawRecord, text: string): Mapped[] {
  const posting = readMembers(raw.content);
  const employer = countryNamed(posting.text('employer.country'));
  const place = posting.text('categories.location');
  const country = countryOfWork({
    field: 'categories.location',
    place,
    country: posting.text('country'),
    remote: posting.text('workplaceType') === 'remote',
    employer,
  });
  return mapPosting(
    {
      board: `lever ${posting.text('site') ?? ''}`.trim(),
      id: posting.need('id'),
      title: plainLine(posting.need('text')),
      company: companyOf(posting, employer ?? country),
      country,
      place: place && plainLine(place),
      publishedAt: createdAt(posting),
      description: descriptionOf(posting),
    },
    text,
  );
}

function descriptionOf(posting: Members): string {
  const lists = posting.list('lists').flatMap((list) => [list.text('text'), list.text('content')]);
  const parts = [posting.text('descriptionPlain'), ...lists, posting.text('additionalPlain')];
  return parts
    .map(plainText)
    .filter((part) => part !== '')
    .join('\n');
}

/** A site has no name but the one in its address, unless the operator supplies it. */
function companyOf(posting: Members, country: CountryName): MappedCompany {
  const site = posting.text('site') ?? refuse('hostedUrl', 'names no site');
  return employerCompany(posting, { key: `site ${site}`, name: site, country });
}

function createdAt(posting: Members): Date {
  const at = posting.number('createdAt');
  return at !== undefined && at > 0 && at < 7_258_118_400_000 ? new Date(at) : refuse('createdAt', 'is no date');
}
