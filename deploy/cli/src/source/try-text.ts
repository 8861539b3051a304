import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  TriedObservation,
  TriedPage,
  TriedRecord,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { count, list, table } from '../output/table.ts';

const MOST_SHOWN = 20;
const MAX_EXCERPT = 160;

export function describeTry(pages: readonly TriedPage[]): string {
  return `${pages.map(describePage).join('\n\n')}\n\nNothing was recorded.`;
}

function describePage(page: TriedPage): string {
  const { records } = page;
  const observations = records.flatMap((record) => record.observations);
  const closes = records.flatMap((record) => record.closes);
  const facts = list([
    ['request', page.uri],
    ['answer', `${page.contentType || 'no content type'}, ${count(page.bytes)} bytes`],
    ['records', `${count(records.length)}${page.hasMore ? ', more were not read' : ''}`],
    ['would record', `${count(observations.length)} observations, close ${count(closes.length)} events`],
    ['links to', `${count(page.followUps)} documents`],
    ...(page.missingFields.length > 0 ? [['missing fields', page.missingFields.join(', ')] as const] : []),
    ...(page.failure === '' ? [] : [['failure', page.failure] as const]),
  ]);
  return [facts, ...observations.slice(0, MOST_SHOWN).map(describeObservation), ...reasonsOf(page)].join('\n\n');
}

function describeObservation(one: TriedObservation): string {
  const excerpt = (one.excerpts[0] ?? '').replaceAll(/\s+/g, ' ');
  return list([
    [one.kind, one.observedFact],
    ['of', [one.company, ...one.companyIdentifiers].join(', ')],
    ['in, on', [one.country, one.occurredAt ? day(one.occurredAt) : 'no date'].join(', ')],
    ['until', one.expiresAt ? day(one.expiresAt) : 'no expiry'],
    ['quoted', excerpt.length > MAX_EXCERPT ? `${excerpt.slice(0, MAX_EXCERPT)} …` : excerpt],
    ['at', one.sourceUri],
  ]);
}

function reasonsOf({ records, refused }: TriedPage): string[] {
  const ofDocument = refused.map(({ field, reason, example, count: times }) => [
    count(times),
    `${field} ${reason}`,
    example,
  ]);
  const rows = [
    ...ofDocument,
    ...tally(records, (record) => record.refused),
    ...tally(records, (record) => record.leftOut.map((reason) => `omitted: ${reason}`)),
  ];
  return rows.length === 0 ? [] : [table(['not recorded', 'because', 'for example'], rows)];
}

function tally(records: readonly TriedRecord[], reasonsIn: (record: TriedRecord) => readonly string[]): string[][] {
  const all = records.flatMap((record) => reasonsIn(record).map((reason) => ({ reason, key: record.key })));
  return [...Map.groupBy(all, ({ reason }) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, own]) => [count(own.length), reason, own[0]?.key ?? '']);
}

function day(at: Parameters<typeof timestampDate>[0]): string {
  return timestampDate(at).toISOString().slice(0, 10);
}
