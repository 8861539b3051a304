import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { fbo } from './source.ts';

const hits = await readBeside(import.meta.url, 'documents/hits.json', fbo);

test('a notice is a request of its agency with the sector of its NAICS code', () => {
  expect(titled(hits, 'Sluice sensors')).toMatchObject({
    key: 'department of waterways/w9ab01-14-r-0003',
    company: { name: 'Department of Waterways', country: 'US' },
    observedFact: 'Department of Waterways is requesting Sluice sensors (Presolicitation), closes 2014-07-01',
    occurredAt: new Date('2014-06-16T00:00:00Z'),
    expiresAt: new Date('2014-07-02T04:00:00Z'),
    categories: ['31-33'],
    eventIdentifiers: [{ scheme: 'solicitation', value: 'w9ab01-14-r-0003' }],
  });
});

test('an award closes its solicitation, justifications and special notices are left out', () => {
  expect(hits.closings).toMatchObject([{ eventIdentifiers: [{ value: 'w9ab01-13-r-0005' }], reason: 'awarded' }]);
  expect(hits.leftOut).toEqual(['the notice type asks for no bids', 'the notice type asks for no bids']);
});

test('a row that is not a notice, or lacks a field, is refused by the field', () => {
  expect([...hits.refused].sort()).toEqual([
    '_type is no notice',
    'data_source is another site than FBO',
    'posted_dt is no date',
    'solnbr is missing',
    'title is missing',
  ]);
});

test('a list and lines of the same hits say the same', async () => {
  const lines = await readBeside(import.meta.url, 'documents/hits.jsonl', fbo);
  expect(lines.observations).toEqual(hits.observations);
  expect([...lines.refused].sort()).toEqual([...hits.refused].sort());
});

test('in a bulk load the update of a notice is the same record with other content', async () => {
  const load = await readBeside(import.meta.url, 'documents/load.bulk', fbo);
  const [gate, , amended] = load.raws;
  expect(load.raws).toHaveLength(3);
  expect(amended?.key).toBe(gate?.key);
  expect(amended?.content).not.toBe(gate?.content);
  expect(load.observations.at(-1)?.expiresAt).toEqual(new Date('2014-04-16T04:00:00Z'));
});

test('HTML that was escaped twice is read as text, and the contact sentence is not quoted', async () => {
  const load = await readBeside(import.meta.url, 'documents/load.bulk', fbo);
  expect(titled(load, 'Rebuilding of lock gate 7').excerpts[0]).toMatch(
    /Gate 7 is to be rebuilt\. Work begins in May 2014\.$/,
  );
});

test('contact persons and their addresses are not in the raw records, in either layout', async () => {
  const load = await readBeside(import.meta.url, 'documents/load.bulk', fbo);
  for (const raw of [...hits.raws, ...load.raws]) {
    expect(raw.content).not.toMatch(/CONTACT|email_|EMAIL|OFFADD|POPADDRESS|Specialist|1 Lock Street/);
    expect(raw.fields).toContain('CONTACT');
  }
});

const NOTICE = {
  data_source: 'FBO',
  notice_type: 'COMBINE',
  solnbr: '14-0004',
  posted_dt: '2014-03-04T00:00:00Z',
  agency: 'Department of Waterways',
  office: 'Inland Locks Service',
  location: 'Locks Contracting',
  title: 'Lamps',
  close_dt: '2014-04-01T00:00:00Z',
  ext: { CONTACT: 'Max Weir, Contract Specialist, Phone 5135550142' },
};
const readNotices = async (...notices: object[]) =>
  summarise(await readDocument(fbo, documentOfText(JSON.stringify(notices.map((one) => ({ ...NOTICE, ...one }))))));

test('the same short number of two offices names two requests, and an award closes only its own office’s request', async () => {
  const read = await readNotices({}, { location: 'Sluices Contracting' }, { notice_type: 'AWARD' });
  expect(new Set(read.raws.slice(0, 2).map(({ key }) => key)).size).toBe(2);
  expect(read.observations.map(({ eventIdentifiers }) => eventIdentifiers[0]?.value)).toEqual([
    '14-0004 Locks Contracting',
    '14-0004 Sluices Contracting',
  ]);
  expect(read.closings.map(({ eventIdentifiers }) => eventIdentifiers[0]?.value)).toEqual([
    '14-0004 Locks Contracting',
  ]);
});

test('notices that name no number are not one notice', async () => {
  const address = (name: string) => ({ solnbr: 'none-assigned', listing_url: `https://www.fbo.gov/notices/${name}` });
  const { raws } = await readNotices(address('a'), address('b'));
  expect(raws.map(({ key }) => key)).toEqual(['https://www.fbo.gov/notices/a', 'https://www.fbo.gov/notices/b']);
});

test('an award of no number, or of a schedule, closes nothing and says why', async () => {
  const { leftOut, closings } = await readNotices(
    { notice_type: 'AWARD', solnbr: '621I' },
    { notice_type: 'AWARD', location: 'Federal Supply Schedule Office' },
  );
  expect(closings).toEqual([]);
  expect(leftOut).toEqual([
    'the award names no number of one request',
    'the award is made under a schedule that stays open',
  ]);
});

test('the quoted passage begins after the legal notices, and ends before the contact person', async () => {
  const description =
    'This is a combined synopsis/solicitation for commercial items prepared in accordance with the format in FAR Subpart 12.6, as supplemented with additional information included in this notice.The solicitation number is 14-0004 and is issued as a Request for Quote (RFQ). The Locks Office needs lamps.DELIVERY IN MAYLine 0001 forty. Max Weir has the drawings.';
  const { observations, raws } = await readNotices({ description });
  expect(observations[0]?.excerpts[0]?.split('\n')[3]).toBe(
    'The Locks Office needs lamps.DELIVERY IN MAY Line 0001 forty.',
  );
  expect(raws[0]?.content).not.toMatch(/weir/i);
});
