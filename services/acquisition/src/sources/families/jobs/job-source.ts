import type { CountryName } from '@ces/proto/catalog';
import type { Mapped, MappedCompany, MappedObservation } from '../../../connector/mapped.ts';
import type { Source } from '../../../connector/source.ts';
import { type Members, readMembers } from '../../../extract/formats/members.ts';
import { plainLine } from '../../../extract/formats/plain.ts';
import { chooseImpersonalExcerpt, quotable } from '../../../extract/passages/excerpt.ts';
import { countryNamed } from '../../../extract/places/places.ts';
import { employersSetting } from './employers.ts';
import { countryOfWork, type WorkPlace } from './place.ts';
import { type Tool, toolsIn } from './tools.ts';

type Own = Pick<Source, 'name' | 'title' | 'publisher' | 'homepage' | 'hosts' | 'politeness' | 'fields'>;

export interface JobSource extends Own, Pick<Source, 'requests' | 'parse'> {
  readonly attribution: string;
  /** The setting in which the operator names the employers. */
  readonly setting: string;
  /** Lines of the extracted text; blank ones are dropped. */
  readonly lines: (posting: Members) => Iterable<string>;
  readonly leaveOut?: (posting: Members) => string | undefined;
  readonly read: (posting: Members) => Posting;
}

interface Posting {
  readonly board: string;
  readonly id: string;
  readonly title: string;
  /** `key` is the board's own key of the employer. The operator's name takes precedence. */
  readonly company: { readonly key: string | undefined; readonly name: string };
  readonly work: Omit<WorkPlace, 'employer'>;
  readonly publishedAt: Date;
  readonly description: string;
}

export function jobSource({ attribution, setting, lines, leaveOut, read, ...own }: JobSource): Source {
  return {
    ...own,
    licence: {
      name: 'Published by the employer for everybody to read; no licence stated',
      uri: own.homepage,
      attribution,
    },
    kinds: ['job_posting', 'technology_use'],
    verified: true,
    mode: 'scheduled',
    schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
    settings: [employersSetting(setting)],
    extractorVersion: 1,
    mappingVersion: 6,
    extract: (content) => [...lines(readMembers(content))].filter((line) => line !== '').join('\n'),
    map: (raw, text) => {
      const posting = readMembers(raw.content);
      const reason = leaveOut?.(posting);
      return reason === undefined ? mapPosting(posting, read(posting), text) : [{ type: 'left_out', reason }];
    },
  };
}

function mapPosting(posting: Members, { work, ...read }: Posting, text: string): Mapped[] {
  const employer = countryNamed(posting.text('employer.country'));
  const country = countryOfWork({ ...work, employer });
  const company = employerCompany(posting, read.company, employer ?? country);
  const place = work.place && plainLine(work.place);
  const { board, id, title, publishedAt: occurredAt } = read;
  const common = { type: 'observation', company, categories: [], occurredAt } as const;
  return [
    {
      ...common,
      kind: 'job_posting',
      country,
      observedFact: `${company.name} is hiring: ${title}${place ? ` (${place})` : ''}`,
      confidence: 0.8,
      title,
      eventIdentifiers: [{ scheme: 'posting', value: `${board} ${id}` }],
      excerpts: [quotable('description', chooseImpersonalExcerpt(text))],
    },
    ...toolsIn(read.description).flatMap((tool) => useOf(tool, read, text, common)),
  ];
}

function employerCompany(posting: Members, { key, name }: Posting['company'], country: CountryName): MappedCompany {
  const hostname = posting.text('employer.hostname');
  return {
    ...(key && { key }),
    name: plainLine(posting.text('employer.name') ?? name),
    country,
    hostnames: hostname ? [hostname] : [],
    identifiers: [],
  };
}

/** No posting id: all postings of a board that name a tool show one use. */
function useOf(
  { name, pattern }: Tool,
  { title, board }: Pick<Posting, 'title' | 'board'>,
  text: string,
  common: Pick<MappedObservation, 'type' | 'company' | 'categories' | 'occurredAt'>,
): MappedObservation[] {
  const excerpt = chooseImpersonalExcerpt(text, pattern);
  if (excerpt === undefined || !pattern.test(excerpt)) return [];
  return [
    {
      ...common,
      part: `uses ${name}`,
      kind: 'technology_use',
      country: common.company.country,
      observedFact: `${common.company.name} names ${name} in a job posting: ${title}`,
      confidence: 0.5,
      title: `Uses ${name}`,
      eventIdentifiers: [{ scheme: 'posting', value: `${board} uses ${name}` }],
      excerpts: [excerpt],
    },
  ];
}
