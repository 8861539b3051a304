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
