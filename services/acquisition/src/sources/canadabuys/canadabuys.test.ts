import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { canadabuysAwards } from '../canadabuys-awards/source.ts';
import { cellValues, entityName } from './notice.ts';
import { canadabuys } from './source.ts';

const notices = await readBeside(import.meta.url, 'documents/open-tender-notices.csv', canadabuys);

test('a notice is a request of its end user, worded by its title, type and closing day', () => {
  expect(titled(notices, 'Replacement of harbour lights')).toMatchObject({
    key: 'cb-100-20000001',
    company: { name: 'Department of Lighthouses', country: 'CA' },
    observedFact:
      'Department of Lighthouses is requesting Replacement of harbour lights (Request for Proposal), closes 2026-11-30',
    country: 'CA',
    confidence: 0.9,
    occurredAt: new Date('2026-10-05T00:00:00Z'),
    sourceUri: 'https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/cb-100-20000001',
    categories: [],
  });
});

test('closing times are wall-clock time in Ottawa, winter and summer; a day without a time is open to its end', () => {
  expect(titled(notices, 'Replacement of harbour lights').expiresAt).toEqual(new Date('2026-11-30T19:00:00Z'));
  expect(titled(notices, 'Shared buoys of the boundary waters').expiresAt).toEqual(new Date('2026-12-02T05:00:00Z'));
});

test('without an end user the contracting entity buys, and an amendment is the record of its notice', () => {
  const dredging = titled(notices, 'Dredging of the inner basin – phase 2');
  expect(dredging.company.name).toBe('Harbour Works Canada');
  expect(dredging.key).toBe('cb-100-20000002');
  expect(dredging.occurredAt).toEqual(new Date('2026-10-05T00:00:00Z'));
  expect(dredging.expiresAt).toEqual(new Date('2026-12-14T19:00:00Z'));
});

test('solicitation and reference number name the event', () => {
  expect(titled(notices, 'Replacement of harbour lights').eventIdentifiers).toEqual([
    { scheme: 'solicitation', value: 'WX000-270001/A' },
    { scheme: 'solicitation', value: 'cb-100-20000001' },
  ]);
});

test('the excerpt supports title, buyer and closing and ends before the contact person', () => {
  expect(titled(notices, 'Replacement of harbour lights').excerpts).toEqual([
    'Replacement of harbour lights\nBuyer: Department of Lighthouses (DL), Harbour Works Canada (HWC)\nClosing: 2026-11-30T14:00:00\nThe Department of Lighthouses requires the replacement of 42 harbour lights, with three years of upkeep.',
  ]);
});

test('a notice that is only in French is read in French', () => {
  const tides = titled(notices, 'Étude des marées de la baie');
  expect(tides.excerpts[0]).toContain('pendant deux hivers');
  expect(tides.whyItMayMatter).toContain('has not asked for bids yet');
});

test('announced awards and call-ups are left out, a cancelled notice closes what bears its numbers', () => {
  expect(notices.leftOut).toEqual(['the notice type asks for no bids', 'the notice type asks for no bids']);
  expect(notices.closings).toMatchObject([
    {
      eventIdentifiers: [{ value: 'WX000-270005/A' }, { value: 'cb-100-20000005' }],
      company: { name: 'Harbour Works Canada' },
      reason: 'cancelled',
      closedAt: new Date('2026-10-30T04:00:00Z'),
    },
  ]);
});

test('every other row is refused by the field it lacks', () => {
  expect([...notices.refused].sort()).toEqual([
    'contractingEntityAddressCountry-entiteContractanteAdressePays-eng is neither Canada nor the United States',
    'contractingEntityName-nomEntitContractante-eng is missing',
    'publicationDate-datePublication is no date',
    'referenceNumber-numeroReference is missing',
    'tenderClosingDate-appelOffresDateCloture is no date',
  ]);
});

test('contact persons are not in the raw records', () => {
  expect(notices.raws).toHaveLength(13);
  for (const raw of notices.raws) {
    expect(raw.content).not.toContain('contactInfo');
    expect(raw.fields).toContain('contactInfoEmail-informationsContactCourriel');
  }
});

test('an award closes the tender with its solicitation number', async () => {
  const awards = await readBeside(
    import.meta.url,
    '../canadabuys-awards/documents/award-notices.csv',
    canadabuysAwards,
  );
  expect(awards.observations).toEqual([]);
  expect(awards.closings).toEqual([
    {
      type: 'closing',
      eventIdentifiers: [{ scheme: 'solicitation', value: 'WX000-270001/A' }],
      company: { name: 'Department of Lighthouses', country: 'CA', hostnames: [], identifiers: [] },
      reason: 'awarded',
      closedAt: new Date('2026-11-12T00:00:00Z'),
    },
  ]);
  expect(awards.leftOut).toEqual(['the award is cancelled', 'its solicitation number is too short to name one tender']);
  expect(awards.refused).toEqual(['contractAwardDate-dateAttributionContrat is no date']);
});

test('the award file covers the fiscal year, which begins in April', () => {
  const fileAt = (now: string) =>
    canadabuysAwards.requests?.({ now: new Date(now), settings: new Map(), watermark: undefined })[0]?.url;
  expect(fileAt('2026-03-31T12:00:00Z')).toMatch(/2025-2026-awardNotice/);
  expect(fileAt('2026-04-01T12:00:00Z')).toMatch(/2026-2027-awardNotice/);
});

test('a file without the column of the buyer is refused by it, row for row', async () => {
  const csv = '\ufefftitle-titre-eng,referenceNumber-numeroReference,a,b,c\r\nLamps,cb-1,,,\r\n';
  const read = summarise(await readDocument(canadabuys, documentOfText(csv)));
  expect(read.observations).toEqual([]);
  expect(read.refused).toHaveLength(1);
  expect(read.refused[0]).toMatch(/^\w+-\w+(?:-\w+)? is missing$/);
});

test('cells hold several values, one a line after a star', () => {
  expect(cellValues('*Exterior lights\r\n* Trade services\n*')).toEqual(['Exterior lights', 'Trade services']);
  expect(cellValues(undefined)).toEqual([]);
});

test('an acronym in brackets is not part of a name', () => {
  expect(entityName('*Parks of the Coast (PC)')).toBe('Parks of the Coast');
  expect(entityName('Society (of friends)')).toBe('Society (of friends)');
});
