import { chooseExcerpt } from '../../extract/excerpt.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { extractSamNotice, mapSamNotice, type SamFields, type SamNotice } from '../../tender/sam-notice.ts';
import type { Mapped } from '../mapped.ts';
import type { RawRecord } from '../source.ts';

const FIELDS: SamFields = {
  title: 'title',
  organisation: 'fullParentPathName',
  type: 'type',
  posted: 'postedDate',
  awardDate: 'award.date',
  description: 'title',
};

export function extractOpportunity(content: string): string {
  return extractSamNotice(toNotice(readMembers(content)));
}

export function mapOpportunity(raw: RawRecord, text: string): Mapped[] {
  const opportunity = readMembers(raw.content);
  opportunity.need('noticeId');
  return mapSamNotice(toNotice(opportunity), FIELDS, chooseExcerpt(text));
}

function toNotice(opportunity: Members): SamNotice {
  const texts = (...paths: string[]) => paths.flatMap((path) => opportunity.text(path) ?? []);
  return {
    title: opportunity.text('title'),
    solicitation: opportunity.text('solicitationNumber'),
    organisation: organisationOf(opportunity.text('fullParentPathName')) ?? texts('department', 'subTier', 'office'),
    type: opportunity.text('type'),
    posted: opportunity.text('postedDate'),
    deadline: opportunity.text('responseDeadLine') ?? opportunity.text('reponseDeadLine'),
    archived: opportunity.text('archiveDate'),
    active: opportunity.text('active'),
    naics: opportunity.text('naicsCode'),
    place: texts(
      'placeOfPerformance.city.name',
      'placeOfPerformance.state.code',
      'placeOfPerformance.country.code',
    ).join(', '),
    awardDate: opportunity.text('award.date'),
    description: undefined,
  };
}

/** The path joins its names by dots; one after a single letter belongs to the name, as in `U.S. ARMY`. */
function organisationOf(path: string | undefined): string[] | undefined {
  return path?.split(/(?<!\b\p{L})\./u).filter((name) => name.trim() !== '');
}
