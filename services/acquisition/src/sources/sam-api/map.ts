import type { Mapped } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { chooseTenderExcerpt } from '../families/tender/excerpt.ts';
import { extractSamNotice, mapSamNotice, type SamNotice } from './notice.ts';

export function extractOpportunity(content: string): string {
  return extractSamNotice(toNotice(readMembers(content)));
}

export function mapOpportunity(raw: RawRecord, text: string): Mapped[] {
  const opportunity = readMembers(raw.content);
  opportunity.need('noticeId');
  return mapSamNotice(toNotice(opportunity), chooseTenderExcerpt(text));
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
    classification: opportunity.text('classificationCode'),
    place: placeOf(opportunity),
    awardDate: opportunity.text('award.date'),
  };
}

/** Codes where they exist. For regions of other countries the names say more. */
function placeOf(opportunity: Members): string {
  const at = (part: string) => opportunity.text(`placeOfPerformance.${part}`);
  const state = at('state.code');
  const isForeign = state?.includes('-') ?? false;
  const parts = [
    at('city.name'),
    isForeign ? (at('state.name') ?? state) : (state ?? at('state.name')),
    at('country.code') ?? at('country.name'),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/**
 * Dots separate the names, unless one follows a single letter or precedes a blank: `U.S. ARMY`. A
 * department without sub-tiers occurs twice.
 */
function organisationOf(path: string | undefined): string[] | undefined {
  return path
    ?.split(/(?<!\b\p{L})\.(?!\s)/u)
    .map((name) => name.trim().replace(/\s+/g, ' '))
    .filter((name) => name !== '');
}
