import type { EventIdentifier, Mapped } from '../../connector/mapped.ts';
import type { Document, FetchRequest, Parsed, RawRecord, Source } from '../../connector/source.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { chooseImpersonalExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { agencyNamed, SBIR_HOMEPAGE, SBIR_HOST, SBIR_TERMS, withoutReturns } from '../families/sbir/terms.ts';
import { findClosing, ifPlausible } from '../families/tender/closing.ts';
import { solicitationIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany } from '../families/tender/tender.ts';

const ROWS = 50;
const LAST_START = 1_000;
const RELEASED = 'release_date';
const WASHINGTON = 'America/New_York';
/** A later closing means open until further notice. */
const MOST_YEARS_OPEN = 10;
const WHY =
  'An agency offers money for this work and asks for applications, so those who can do it may apply before it closes.';
const LEAST_DIGITS_OF_A_YEARS_TOPIC = 6;

export const sbirSolicitations: Source = {
  name: 'sbir_solicitations',
  title: 'SBIR.gov, open topics of the SBIR and STTR programs',
  ...SBIR_TERMS,
  kinds: ['procurement_request'],
  politeness: { requestsPerSecond: 0.2, obeysRobots: false, maxRequestsPerRun: 25 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: {
    required: ['solicitation_number', 'solicitation_title', 'agency', 'release_date'],
    usual: [
      'program',
      'phase',
      'open_date',
      'close_date',
      'current_status',
      'topic.topic_title',
      'topic.topic_description',
    ],
  },
  extractorVersion: 1,
  mappingVersion: 4,
  requests: requestSolicitations,
  parse: parseSolicitations,
  extract: extractTopic,
  map: mapTopic,
};

function requestSolicitations(): FetchRequest[] {
  return [pageOf(0)];
}

function pageOf(start: number): FetchRequest {
  const query = new URLSearchParams({ open: '1', rows: String(ROWS), start: String(start) });
  return { url: `https://${SBIR_HOST}/public/api/solicitations?${query}`, about: { start: String(start) } };
}

async function* parseSolicitations(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    const { solicitation_topics: topics, ...solicitation } = isObject(item) ? item : {};
    const listed = Array.isArray(topics) && topics.length > 0 ? topics : [{}];
    for (const [index, topic] of listed.entries())
      yield toRecord(solicitation, isObject(topic) ? topic : {}, `solicitation ${position}, topic ${index + 1}`);
  }
  const { start } = document.about;
  const next = Number(start) + ROWS;
  if (start !== undefined && position >= ROWS && next <= LAST_START) yield { type: 'follow_up', request: pageOf(next) };
}

function toRecord(solicitation: JsonMembers, topic: JsonMembers, place: string): Parsed {
  const address = [topic.sbir_topic_link, solicitation.sbir_solicitation_link, solicitation.solicitation_agency_url];
  return keptRecord(
    { key: keyOf(solicitation, topic) ?? place, uri: firstWebAddress(address, SBIR_HOMEPAGE) },
    { ...solicitation, topic: { ...topic, subtopics: titlesOf(topic.subtopics) } },
  );
}

/** The long texts of subtopics repeat the topic. */
function titlesOf(subtopics: unknown): readonly unknown[] {
  if (!Array.isArray(subtopics)) return [];
  return subtopics.flatMap((one) => (isObject(one) ? [{ subtopic_title: one.subtopic_title ?? '' }] : []));
}

function keyOf(
  { agency, solicitation_number: number, solicitation_year: year }: JsonMembers,
  topic: JsonMembers,
): string | undefined {
  if (typeof number !== 'string' || number.trim() === '') return undefined;
  const parts = [agency, number, year, topic.topic_number].map((part) => (typeof part === 'string' ? part.trim() : ''));
  return parts.join('/');
}

function extractTopic(content: string): string {
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

function mapTopic(raw: RawRecord, text: string): Mapped[] {
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
