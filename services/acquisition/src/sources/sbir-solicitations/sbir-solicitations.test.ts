import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { sbirSolicitations } from './source.ts';

const ROWS = 50;

const page = await readBeside(import.meta.url, 'documents/solicitations.json', sbirSolicitations);

test('each topic is a request of its own, under its own number', () => {
  expect(titled(page, 'Gates that level themselves')).toMatchObject({
    key: 'DOT/LA-SBIR-26-901/2026/LA26-9001',
    kind: 'procurement_request',
    company: { name: 'Inland Locks Administration', country: 'US' },
    observedFact:
      'Inland Locks Administration is asking small businesses for SBIR and STTR Phase I and Phase II proposals on Gates that level themselves, closes 2026-12-15',
    occurredAt: new Date('2026-09-01T00:00:00Z'),
    expiresAt: new Date('2026-12-16T05:00:00Z'),
    eventIdentifiers: [{ scheme: 'solicitation', value: 'LA26-9001' }],
    sourceUri: 'https://www.sbir.gov/node/2699911',
  });
  expect(titled(page, 'Seepage heard by fibre').eventIdentifiers).toEqual([
    { scheme: 'solicitation', value: 'LA26-9002' },
  ]);
});

test('a number that every year has names its solicitation and year as well', async () => {
  const call = { agency: 'DOT', solicitation_title: 'Weirs', release_date: '2026-09-01', current_status: 'Open' };
  const identifiersOf = async (solicitation: string, year: string, topic: string) => {
    const topics = [{ topic_title: 'Gates', topic_number: topic }];
    const one = { ...call, solicitation_number: solicitation, solicitation_year: year, solicitation_topics: topics };
    const read = summarise(await readDocument(sbirSolicitations, documentOfText(JSON.stringify([one]))));
    return read.observations.flatMap(({ eventIdentifiers }) => eventIdentifiers.map(({ value }) => value));
  };
  expect(await identifiersOf('DE-FOA-0002900', '2025', 'C56-01a')).toEqual(['C56-01a DE-FOA-0002900 2025']);
  expect(await identifiersOf('DE-FOA-0003300', '2026', 'C56-01a')).not.toEqual(['C56-01a DE-FOA-0002900 2025']);
  expect(await identifiersOf('PAR-26-032', '2026', 'PAR-26-032')).toEqual(['PAR-26-032']);
  expect(await identifiersOf('NSF 26-515', '2026', 'AI')).toEqual(['AI NSF 26-515 2026']);
});

test('a solicitation without topics is one request, and a closing in fifty years is ignored', () => {
  expect(titled(page, 'Standing call for pumps')).toMatchObject({
    company: { name: 'Department of Transportation' },
    observedFact:
      'Department of Transportation is asking small businesses for SBIR Phase II proposals on Standing call for pumps',
    expiresAt: new Date('2026-11-30T00:00:00Z'),
  });
});

test('one that is not open is left out, one without a day is refused', () => {
  expect(page.leftOut).toEqual(['the solicitation is not open']);
  expect(page.refused).toEqual(['release_date is no date']);
});

test('contacts that the agency wrote into its texts are not in the raw records', () => {
  for (const { content } of page.raws) expect(content).not.toMatch(/555-0143|@/);
});

test('a full page leads to the next one', async () => {
  const [request] = sbirSolicitations.requests?.({ now: new Date(), settings: new Map(), watermark: undefined }) ?? [];
  expect(request?.url).toBe('https://api.www.sbir.gov/public/api/solicitations?open=1&rows=50&start=0');
  const full = JSON.stringify(Array.from({ length: ROWS }, () => ({})));
  const { followUps } = await readDocument(sbirSolicitations, documentOfText(full, { about: request?.about ?? {} }));
  expect(followUps).toMatchObject([{ url: expect.stringContaining('start=50') }]);
});
