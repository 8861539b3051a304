import type { Document, FetchRequest, Parsed } from '../../connector/source.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { SBIR_HOMEPAGE, SBIR_HOST } from '../families/sbir/terms.ts';

const ROWS = 50;
const LAST_START = 1_000;

export function requestSolicitations(): FetchRequest[] {
  return [pageOf(0)];
}

function pageOf(start: number): FetchRequest {
  const query = new URLSearchParams({ open: '1', rows: String(ROWS), start: String(start) });
  return { url: `https://${SBIR_HOST}/public/api/solicitations?${query}`, about: { start: String(start) } };
}

export async function* parseSolicitations(document: Document): AsyncGenerator<Parsed> {
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
