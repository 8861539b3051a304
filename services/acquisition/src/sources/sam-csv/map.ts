import { type Members, readMembers } from '../../extract/members.ts';
import { chooseTenderExcerpt } from '../../tender/excerpt.ts';
import { extractSamNotice, mapSamNotice, type SamFields, type SamNotice } from '../../tender/sam-notice.ts';
import type { Mapped } from '../mapped.ts';
import type { RawRecord } from '../source.ts';

const FIELDS: SamFields = {
  title: 'Title',
  organisation: 'Department/Ind.Agency',
  type: 'Type',
  posted: 'PostedDate',
  awardDate: 'AwardDate',
  description: 'Description',
};

export function extractRow(content: string): string {
  return extractSamNotice(toNotice(readMembers(content)));
}

export function mapRow(raw: RawRecord, text: string): Mapped[] {
  const row = readMembers(raw.content);
  row.need('NoticeId');
  return mapSamNotice(toNotice(row), FIELDS, chooseTenderExcerpt(text));
}

function toNotice(row: Members): SamNotice {
  const several = (...columns: string[]) => columns.flatMap((column) => row.text(column) ?? []);
  return {
    title: row.text('Title'),
    solicitation: row.text('Sol#'),
    organisation: several('Department/Ind.Agency', 'Sub-Tier', 'Office'),
    type: row.text('Type'),
    posted: row.text('PostedDate'),
    deadline: row.text('ResponseDeadLine'),
    archived: row.text('ArchiveDate'),
    active: row.text('Active'),
    naics: row.text('NaicsCode'),
    classification: row.text('ClassificationCode'),
    place: several('PopCity', 'PopState', 'PopCountry').join(', '),
    awardDate: row.text('AwardDate'),
    description: row.text('Description'),
  };
}
