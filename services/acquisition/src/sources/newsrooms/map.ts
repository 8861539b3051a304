import type { KindName } from '@ces/proto/catalog';
import { DateTime } from 'luxon';
import { findInstant } from '../../extract/dates.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { cutAtWord, safePassage } from '../../extract/passage.ts';
import { countryNamed } from '../../extract/places.ts';
import type { Mapped, MappedCompany } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';
import { isEnglish } from './language.ts';
import { readRelease } from './release.ts';

/** A quotation is short: in code points. */
const QUOTED = 300;
const MOST_TITLE = 200;
const DAY_MS = 86_400_000;
const CLAIMS: Readonly<Partial<Record<KindName, string>>> = {
  product_launch: 'announced a launch',
  partnership: 'announced that it works with others',
  facility_expansion: 'announced a new or larger site',
  leadership_change: 'announced a change of leadership',
  funding_round: 'announced that it raised money',
};

/** The headline, then the text. */
export function extractRelease(content: string): string {
  const item = readMembers(content);
  return [item.text('title'), item.text('text')].filter((part) => part !== undefined).join('\n');
}

export function mapRelease(raw: RawRecord, text: string): Mapped[] {
  const item = readMembers(raw.content);
  const title = item.need('title');
  if (!isEnglish(title, item.text('language'))) return [{ type: 'left_out', reason: 'is not in English' }];
  const published = publishedAt(item);
  const body = item.text('text') ?? '';
  const company = companyOf(item);
  const release = readRelease(title, body, company.name);
  if (release.type === 'none') return [{ type: 'left_out', reason: `a release that ${release.reason}` }];
  const { kind, sentence, writtenAt, country } = release;
  return [
    {
      type: 'observation',
      company,
      kind,
      observedFact: `${company.name} ${CLAIMS[kind] ?? 'announced'}: ${title}`,
      country: country ?? company.country,
      confidence: 0.7,
      occurredAt: occurredAt(published, writtenAt),
      title: cutAtWord(title, MOST_TITLE),
      eventIdentifiers: [],
      categories: [],
      excerpts: [quoted(text, sentence)],
    },
  ];
}

/** At most as much as is quoted of the sentence that tells the fact. */
function quoted(text: string, sentence: string): string {
  const passage = safePassage(sentence, QUOTED);
  return passage !== undefined && text.includes(passage)
    ? passage
    : refuse('excerpt', 'is missing: nothing can be quoted');
}

function publishedAt(item: Members): Date {
  const text = item.need('date_published');
  const dated = DateTime.fromRFC2822(text, { zone: 'utc' });
  const found = dated.isValid
    ? dated.toJSDate()
    : findInstant(text, { formats: ['MMMM d, yyyy', 'MMM d, yyyy', 'MM/dd/yyyy'] });
  return found ?? refuse('date_published', 'is no date');
}

/** The day of the dateline; feeds are moved and date what they hold anew, but no release is older than its feed says. */
function occurredAt(published: Date, written: Date | undefined): Date {
  return written && written.getTime() < published.getTime() - DAY_MS ? written : published;
}

function companyOf(item: Members): MappedCompany {
  const hostname = item.need('owner.hostname');
  return {
    key: `newsroom ${hostname}`,
    name: item.need('owner.name'),
    country:
      countryNamed(item.need('owner.country')) ?? refuse('owner.country', 'is neither Canada nor the United States'),
    hostnames: [hostname],
    identifiers: [],
  };
}
