import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
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

test('what is no notice of the site, or lacks a field, is refused by the field', () => {
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
