import type { CountryName } from '@ces/proto/catalog';
import { readInstant } from '../../extract/dates.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { countryNamed } from '../../extract/places.ts';
import { plainLine, plainText } from '../../extract/plain.ts';
import { employerCompany } from '../../jobs/employer-company.ts';
import { countryOfWork } from '../../jobs/place.ts';
import { mapPosting } from '../../jobs/posting.ts';
import type { Mapped, MappedCompany } from '../mapped.ts';
import type { RawRecord } from '../source.ts';

export function extractJob(content: string): string {
  const job = readMembers(content);
  const lines = [
    plainLine(job.text('title')),
    plainLine(job.text('company_name')),
    plainLine(job.text('location.name')),
    job
      .list('departments')
      .flatMap((one) => one.text('name') ?? [])
      .join(', '),
    plainText(job.text('content')),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

export function mapJob(raw: RawRecord, text: string): Mapped[] {
  const job = readMembers(raw.content);
  if (job.text('internal_job_id') === undefined)
    return [{ type: 'left_out', reason: 'a prospect post, for no position' }];
  const employer = countryNamed(job.text('employer.country'));
  const place = plainLine(job.need('location.name'));
  const remote = /\bremote\b/i.test(place);
  const country = countryOfWork({ field: 'location.name', place, remote, employer });
  return mapPosting(
    {
      board: `greenhouse ${job.text('board') ?? ''}`.trim(),
      id: job.need('id'),
      title: plainLine(job.need('title')),
      company: companyOf(job, employer ?? country),
      country,
      place,
      publishedAt: readInstant('first_published', job.need('first_published')),
      description: plainText(job.need('content')),
    },
    text,
  );
}

function companyOf(job: Members, country: CountryName): MappedCompany {
  const board = job.text('board');
  const name = job.text('employer.name') ?? job.need('company_name');
  return employerCompany(job, { key: board && `board ${board}`, name, country });
}
