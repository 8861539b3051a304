import type { CountryName } from '@ces/proto/catalog';
import type { MappedCompany, MappedObservation } from '../../../connector/mapped.ts';
import { chooseImpersonalExcerpt, quotable } from '../../../extract/passages/excerpt.ts';
import { type Tool, toolsIn } from './tools.ts';

export interface Posting {
  readonly board: string;
  readonly id: string;
  readonly title: string;
  readonly company: MappedCompany;
  readonly country: CountryName;
  readonly place: string | undefined;
  readonly publishedAt: Date;
  readonly description: string;
}

export function mapPosting(posting: Posting, text: string): MappedObservation[] {
  const { company, title, place, board, id } = posting;
  const common = { type: 'observation', company, categories: [] } as const;
  return [
    {
      ...common,
      kind: 'job_posting',
      country: posting.country,
      observedFact: `${company.name} is hiring: ${title}${place ? ` (${place})` : ''}`,
      confidence: 0.8,
      occurredAt: posting.publishedAt,
      title,
      eventIdentifiers: [{ scheme: 'posting', value: `${board} ${id}` }],
      excerpts: [quotable('description', chooseImpersonalExcerpt(text))],
    },
    ...toolsIn(posting.description).flatMap((tool) => useOf(tool, posting, text, common)),
  ];
}

/** No posting id: all postings of a board that name a tool show one use. */
function useOf(
  { name, pattern }: Tool,
  { company, title, board, publishedAt }: Posting,
  text: string,
  common: Pick<MappedObservation, 'type' | 'company' | 'categories'>,
): MappedObservation[] {
  const excerpt = chooseImpersonalExcerpt(text, pattern);
  if (excerpt === undefined || !pattern.test(excerpt)) return [];
  return [
    {
      ...common,
      part: `uses ${name}`,
      kind: 'technology_use',
      country: company.country,
      observedFact: `${company.name} names ${name} in a job posting: ${title}`,
      confidence: 0.5,
      occurredAt: publishedAt,
      title: `Uses ${name}`,
      eventIdentifiers: [{ scheme: 'posting', value: `${board} uses ${name}` }],
      excerpts: [excerpt],
    },
  ];
}
