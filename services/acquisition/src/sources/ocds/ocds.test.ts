import { readFile as readBytes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { ocds } from './source.ts';

const releases = await readBeside(import.meta.url, 'documents/release-package.json', ocds);

test('a tender release is a request of its buyer, in the country of its address', () => {
  expect(titled(releases, 'Crane rails')).toMatchObject({
    key: 'ocds-zz0001-1002',
    company: { name: 'Port of Fairlock', country: 'US' },
    observedFact: 'Port of Fairlock is requesting Crane rails, closes 2026-11-30',
    country: 'US',
    occurredAt: new Date('2026-10-01T12:00:00Z'),
    expiresAt: new Date('2026-11-30T18:00:00Z'),
    sourceUri: 'https://northmere.example/tenders/1002',
    eventIdentifiers: [{ scheme: 'solicitation', value: 'ocds-zz0001-1002' }],
  });
});

test('sectors come only from items classified by NAICS', () => {
  expect(titled(releases, 'Crane rails').categories).toEqual(['23']);
  expect(titled(releases, 'Snow clearing, three winters').categories).toEqual([]);
});

test('bilingual publishers are read in the language they give, with the buyer among the parties', () => {
  expect(titled(releases, 'Déneigement, trois hivers')).toMatchObject({ company: { name: 'Town of Westmere' } });
});

test('awards and cancellations close the tender of their process, and a compiled award expires it', () => {
  const closed = releases.closings.map(({ eventIdentifiers, reason }) => [eventIdentifiers[0]?.value, reason]);
  expect(closed).toEqual([
    ['ocds-zz0001-1005', 'cancelled'],
    ['ocds-zz0001-1006', 'awarded'],
    ['ocds-zz0001-1008', 'awarded'],
  ]);
  const awarded = releases.observations.find(({ key }) => key === 'ocds-zz0001-1008');
  expect(awarded?.expiresAt).toEqual(new Date('2026-11-12T00:00:00Z'));
});

test('a plan asks for nothing', () => {
  expect(releases.leftOut).toEqual(['the release is a plan and asks for no bids']);
});

test('every other release is refused by the member it lacks', () => {
  expect(releases.refused).toEqual([
    'buyer.address.countryName is neither Canada nor the United States',
    'buyer.address.countryName is missing, and the publisher is not known to be of one country',
    'tender.title is missing',
    'date is no date',
    'ocid is missing',
  ]);
});

test('contact points are not in the raw records', () => {
  for (const raw of releases.raws) expect(raw.content).not.toMatch(/contactPoint|Quayle|902-555/);
});

test('records are their compiled release, else their releases', async () => {
  const records = await readBeside(import.meta.url, 'documents/record-package.json', ocds);
  expect(records.observations.map(({ key }) => key)).toEqual(['ocds-zz0001-2001', 'ocds-zz0001-2002']);
});

test('a file of lines is read line by line, and only a broken line is refused', async () => {
  const lines = await readBeside(import.meta.url, 'documents/compiled-releases.jsonl', ocds);
  expect(lines.observations.map(({ key }) => key)).toEqual(['ocds-zz0001-3001', 'ocds-zz0001-3002']);
  expect(lines.refused).toEqual(['line is no JSON']);
});

test('a list of packages gives what its packages give', async () => {
  const bytes = await readBytes(new URL('documents/release-package.json', import.meta.url), 'utf8');
  const listed = summarise(await readDocument(ocds, documentOfText(`[${bytes}]`)));
  expect(listed.observations).toEqual(releases.observations);
  expect(listed.refused).toEqual(releases.refused);
});

test('a publisher of one country counts wherever the package names it, and its tender numbers name events', async () => {
  const release = {
    ocid: 'ocds-99-PW-26-00000001',
    date: '2026-10-05',
    tag: ['tender'],
    buyer: { name: 'Coast Agency' },
    tender: {
      id: 'PW-26-00000001',
      title: 'Boats',
      tenderPeriod: { endDate: '2026-11-30 14:00 Eastern Standard Time (EST)' },
    },
  };
  const publisher = { name: 'Buyandsell.gc.ca', uri: 'https://buyandsell.gc.ca' };
  const first = summarise(await readDocument(ocds, documentOfText(JSON.stringify({ publisher, releases: [release] }))));
  const last = summarise(await readDocument(ocds, documentOfText(JSON.stringify({ releases: [release], publisher }))));
  expect(first.observations).toEqual(last.observations);
  expect(titled(first, 'Boats')).toMatchObject({
    country: 'CA',
    expiresAt: new Date('2026-11-30T19:00:00Z'),
    sourceUri: 'https://buyandsell.gc.ca/procurement-data/tender-notice/PW-26-00000001',
    eventIdentifiers: [
      { scheme: 'solicitation', value: 'ocds-99-PW-26-00000001' },
      { scheme: 'solicitation', value: 'PW-26-00000001' },
    ],
  });
});

test.each(['1970-01-01T00:00:00+00:00', '1900-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
  'a placeholder such as %s is no date of a tender, its closing or its award',
  async (placeholder) => {
    const release = {
      ocid: 'ocds-99-1001',
      date: '2026-11-19T10:00:00-05:00',
      tag: ['tender'],
      buyer: { name: 'Coast Agency', address: { countryName: 'Canada' } },
      tender: { title: 'Road salt', tenderPeriod: { startDate: placeholder, endDate: '2026-12-20T14:00:00-05:00' } },
    };
    const endless = {
      ...release,
      ocid: 'ocds-99-1002',
      tender: { title: 'Ice', tenderPeriod: { endDate: placeholder } },
    };
    const awarded = {
      ...release,
      ocid: 'ocds-99-1003',
      tag: ['award'],
      awards: [{ date: placeholder }, { date: placeholder, dateSigned: '2026-11-18' }],
    };
    const releases = [release, endless, awarded];
    const read = summarise(await readDocument(ocds, documentOfText(JSON.stringify({ releases }))));
    expect(titled(read, 'Road salt')).toMatchObject({
      occurredAt: new Date('2026-11-19T15:00:00Z'),
      expiresAt: new Date('2026-12-20T19:00:00Z'),
    });
    expect(titled(read, 'Ice').excerpts[0]).not.toContain('Closing');
    expect(read.closings).toMatchObject([{ reason: 'awarded', closedAt: new Date('2026-11-18T00:00:00Z') }]);
    expect(read.refused).toEqual([]);
  },
);

test('a closing decades away or before publication is ignored, and contact persons are not stored', async () => {
  const release = (endDate: string) => ({
    ocid: `ocds-99-${endDate}`,
    date: '2026-10-05',
    tag: ['tender'],
    buyer: { name: 'Coast Agency', contactPoint: { name: 'Ada Quayle', email: 'ada@coast.example' } },
    tender: { id: '1', title: 'Boats', description: 'Ten boats. Ask QUAYLE, ADA.', tenderPeriod: { endDate } },
  });
  const publisher = { name: 'Buyandsell.gc.ca', uri: 'https://buyandsell.gc.ca' };
  const releases = [release('2065-04-27'), release('2026-01-01')];
  const read = summarise(await readDocument(ocds, documentOfText(JSON.stringify({ publisher, releases }))));
  for (const one of read.observations) {
    expect(one.observedFact).toBe('Coast Agency is requesting Boats');
    expect(one.expiresAt).toEqual(new Date('2027-01-03T00:00:00Z'));
    expect(one.excerpts[0]).toMatch(/\nTen boats\.$/);
  }
  expect(JSON.stringify(read.raws)).not.toMatch(/quayle/i);
});
