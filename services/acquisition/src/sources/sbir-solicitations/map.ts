import type { EventIdentifier, Mapped } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { chooseImpersonalExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { agencyNamed } from '../families/sbir/agencies.ts';
import { withoutReturns } from '../families/sbir/terms.ts';
import { findClosing, ifPlausible } from '../families/tender/closing.ts';
import { solicitationIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany } from '../families/tender/tender.ts';

/** A later closing means open until further notice. */
const MOST_YEARS_OPEN = 10;
const WHY =
  'An agency offers money for this work and asks for applications, so those who can do it may apply before it closes.';
const RELEASED = 'release_date';
const LEAST_DIGITS_OF_A_YEARS_TOPIC = 6;
const WASHINGTON = 'America/New_York';

export function extractTopic(content: string): string {
  const topic = readMembers(content);
  const subtopics = topic.list('topic.subtopics').flatMap((one) => one.text('subtopic_title') ?? []);
  const facts = labelledLines([
    ['Topic', titleOf(topic)],
    ['Agency', [topic.text('agency'), topic.text('branch')].filter(Boolean).join(', ')],
    ['Solicitation', [topic.text('solicitation_number'), topic.text('solicitation_title')].filter(Boolean).join(' ')],
    ['Program', programOf(topic)],
    ['Released', topic.text(RELEASED)],
    ['Opens', topic.text('open_date')],
    ['Closes', topic.text('close_date')],
    ['Applications due', topic.texts('application_due_date').join(', ')],
  ]);
  const description = plainText(withoutReturns(topic.text('topic.topic_description')));
  return [facts, description, labelledLines([['Subtopics', subtopics.join('; ')]])].filter(Boolean).join('\n');
}

export function mapTopic(raw: RawRecord, text: string): Mapped[] {
  const topic = readMembers(raw.content);
  const status = topic.text('current_status') ?? 'open';
  if (!/^open$/i.test(status)) return [{ type: 'left_out', reason: 'the solicitation is not open' }];
  const company = buyerCompany(agencyNamed(topic.text('branch') ?? topic.need('agency')), 'US');
  const occurredAt = readInstant(RELEASED, topic.need(RELEASED));
  const closing = ifPlausible(findClosing(topic.text('close_date'), WASHINGTON), occurredAt, MOST_YEARS_OPEN);
  const closes = closing ? `, closes ${closing.day}` : '';
  const number = numberOf(topic);
  return [
    {
      type: 'observation',
      company,
      kind: 'procurement_request',
      observedFact: `${company.name} is asking small businesses for ${programOf(topic)} proposals on ${titleOf(topic)}${closes}`,
      whyItMayMatter: WHY,
      country: 'US',
      confidence: 0.9,
      occurredAt,
      ...(closing && { expiresAt: closing.at }),
      title: titleOf(topic),
      eventIdentifiers: number ? [number] : [],
      categories: [],
      excerpts: [quotable('topic_title', chooseImpersonalExcerpt(text))],
    },
  ];
}

/** Some agencies reuse topic numbers (`C56-01a`, `AI`), which then include the solicitation. */
function numberOf(topic: Members): EventIdentifier | undefined {
  const solicitation = topic.text('solicitation_number');
  const own = topic.text('topic.topic_number');
  if (own === undefined || own === solicitation)
    return solicitationIdentifier(own ?? topic.need('solicitation_number'));
  if (own.replace(/\D/g, '').length >= LEAST_DIGITS_OF_A_YEARS_TOPIC) return solicitationIdentifier(own);
  return solicitationIdentifier([own, solicitation, topic.text('solicitation_year')].filter(Boolean).join(' '));
}

function titleOf(topic: Members): string {
  return plainLine(withoutReturns(topic.text('topic.topic_title') ?? topic.need('solicitation_title')));
}

function programOf(topic: Members): string {
  const program = plainLine(topic.text('program') ?? 'SBIR').replace(/^both$/i, 'SBIR and STTR');
  const phase = plainLine(topic.text('phase')).replace(/^both$/i, 'Phase I and Phase II');
  return [program, phase].filter((part) => part !== '').join(' ');
}
