import { expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { documentOfText, readDocument } from '../../test-support/read-file.ts';
import type { Source } from '../connector/source.ts';

const HEADER = 'number,title,buyer,published,closes,text,status,contact';
const NOTICE = 'T-1,Snow removal,Town of Elm,2026-11-02,2026-12-01T14:00,"Clear 40 km of road.",open,Jo 613-555-0142';
const FETCHED_AT = new Date('2026-11-20T00:00:00Z');

function read(csv: string, source: Source = bulletin) {
  return readDocument(source, documentOfText(csv, { fetchedAt: FETCHED_AT }));
}

test('a row becomes a raw record without its contact, a text and an observation', async () => {
  const { raws, records, refusals } = await read(`${HEADER}\n${NOTICE}\n`);
  expect(refusals).toEqual([]);
  expect(raws[0]?.content).not.toContain('0142');
  expect(records[0]?.text).toBe('Snow removal\nClear 40 km of road.');
  expect(records[0]?.observations[0]).toMatchObject({
    key: 'T-1',
    expiresAt: new Date('2026-12-01T19:00:00Z'),
    excerpts: ['Snow removal\nClear 40 km of road.'],
  });
});

test('shuffled rows and columns give the same raw records', async () => {
  const one = await read(`a,${HEADER}\nx,${NOTICE}\n`);
  const [name, ...names] = HEADER.split(',').slice(0, 7);
  const other = await read(
    `${[...names, name, 'a'].join(',')}\nSnow removal,Town of Elm,2026-11-02,2026-12-01T14:00,Clear 40 km of road.,open,T-1,x\n`,
  );
  expect(other.raws).toEqual(one.raws.map((raw) => ({ ...raw, fields: expect.anything() })));
  expect(other.records).toEqual(one.records);
});

test('a renamed column refuses every row by the name of the field', async () => {
  const { records, refusals } = await read(`${HEADER.replace('closes', 'closing')}\n${NOTICE}\n`);
  expect(records[0]?.observations).toEqual([]);
  expect(refusals).toEqual([{ key: 'T-1', field: 'closes', reason: 'is missing' }]);
});

test('only a row with too few columns is refused', async () => {
  const { records, refusals } = await read(`${HEADER}\nT-0,Half a row\n${NOTICE}\n`);
  expect(records).toHaveLength(1);
  expect(refusals).toEqual([{ key: 'line 2', field: 'row', reason: 'has 2 columns, the header 8' }]);
});

test('an event in the future, and an invalid passage, are refused', async () => {
  const future = await read(`${HEADER}\n${NOTICE.replace('2026-11-02', '2027-11-02')}\n`);
  expect(future.refusals).toEqual([{ key: 'T-1', field: 'occurred_at', reason: 'lies in the future' }]);
  const extract = (content: string) => bulletin.extract(content).toUpperCase();
  const map: Source['map'] = (raw) => bulletin.map(raw, bulletin.extract(raw.content));
  const invented = await read(`${HEADER}\n${NOTICE}\n`, { ...bulletin, extract, map });
  expect(invented.refusals[0]).toMatchObject({ field: 'excerpt', reason: 'is no passage of the extracted text' });
});

test('an award closes the tender of its number, and a draft is left out', async () => {
  const { records } = await read(
    `${HEADER}\n${NOTICE.replace('open', 'awarded')}\n${NOTICE.replace('open', 'draft')}\n`,
  );
  expect(records[0]?.closings).toEqual([
    expect.objectContaining({ reason: 'awarded', eventIdentifiers: [{ scheme: 'solicitation', value: 'T-1' }] }),
  ]);
  expect(records[1]?.leftOut).toEqual([{ type: 'left_out', reason: 'a draft' }]);
});
