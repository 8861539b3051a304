import type { Mapped } from '../src/connector/mapped.ts';
import type { Document, Parsed, Source } from '../src/connector/source.ts';
import { readCsv } from '../src/extract/formats/csv.ts';
import { tidyText } from '../src/extract/formats/html.ts';
import { jsonContent, readMembers } from '../src/extract/formats/members.ts';
import { chooseExcerpt } from '../src/extract/passages/excerpt.ts';
import { findInstant, readInstant } from '../src/extract/values/dates.ts';

/**
 * An invented tender bulletin: an example of a connector, and the source in tests of the service.
 */
export const bulletin: Source = {
  name: 'bulletin',
  title: 'Tender bulletin',
  homepage: 'https://bulletin.example/',
  licence: { name: 'Open licence', uri: 'https://bulletin.example/licence', attribution: 'Tender bulletin' },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: ['bulletin.example'],
  politeness: { requestsPerSecond: 50, obeysRobots: true, maxRequestsPerRun: 20 },
  schedule: { everyMinutes: 60, jitterMinutes: 10 },
  settings: [
    { name: 'address', description: 'where the bulletin is', required: true },
    { name: 'contact', description: 'whom the bulletin may write to' },
  ],
  fields: { required: ['number', 'title', 'buyer', 'published', 'closes', 'text', 'status'], usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: ({ settings }) => [{ url: settings.get('address') ?? 'https://bulletin.example/tenders.csv' }],
  parse,
  extract: (content) => {
    const notice = readMembers(content);
    return tidyText(`${notice.need('title')}\n${notice.text('text') ?? ''}`);
  },
  map: ({ content }, text) => toMapped(content, text),
};

async function* parse(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document)) {
    if (item.type === 'refused') yield item;
    else {
      const { number = '' } = item.row.values;
      yield {
        type: 'record',
        record: {
          key: number || `line ${item.row.line}`,
          uri: `https://bulletin.example/notices/${encodeURIComponent(number)}`,
          content: jsonContent(item.row.values, ['contact']),
          fields: Object.keys(item.row.values),
        },
      };
    }
  }
}

function toMapped(content: string, text: string): Mapped[] {
  const notice = readMembers(content);
  const eventIdentifiers = [{ scheme: 'solicitation', value: notice.need('number') }] as const;
  const published = readInstant('published', notice.need('published'));
  if (notice.need('status') === 'awarded')
    return [{ type: 'closing', eventIdentifiers, reason: 'awarded', closedAt: published }];
  if (notice.need('status') === 'draft') return [{ type: 'left_out', reason: 'a draft' }];
  const closes = findInstant(notice.text('closes'), { zone: 'America/Toronto' });
  const excerpt = chooseExcerpt(text);
  return [
    {
      type: 'observation',
      company: { name: notice.need('buyer'), country: 'CA', hostnames: [], identifiers: [] },
      kind: 'procurement_request',
      observedFact: `${notice.need('buyer')} is requesting ${notice.need('title')}`,
      country: 'CA',
      confidence: 0.9,
      occurredAt: published,
      ...(closes ? { expiresAt: closes } : {}),
      title: notice.need('title'),
      eventIdentifiers,
      categories: [],
      excerpts: excerpt === undefined ? [] : [excerpt],
    },
  ];
}
