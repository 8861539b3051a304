import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { type FakeRecord, startFakeRecord } from '../../test-support/fake-record.ts';
import { type StartedAcquisition, startAcquisition } from '../../test-support/started-acquisition.ts';

const COLUMNS = ['number', 'title', 'buyer', 'published', 'closes', 'text', 'status'];

let lookup: FakeRecord;
let acquisition: StartedAcquisition;

beforeEach(async () => {
  lookup = await startFakeRecord();
  acquisition = await startAcquisition({ lookup, sources: [bulletin] });
});
afterEach(async () => {
  await acquisition[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

function notices(from: number, count: number, title = 'Works'): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const number = `N-${from + index}`;
    const status = index % 50 === 49 ? 'awarded' : 'open';
    return [number, `${title} ${number}`, 'Town', '2026-11-02', '2026-12-01T14:00', 'Clear the roads.', status].join(
      ',',
    );
  });
  return [COLUMNS.join(','), ...rows].join('\n');
}

async function afterRestore(since?: Date): Promise<Record<string, number>> {
  const done: Record<string, number> = {};
  for (let page = ''; ; ) {
    const answer = await acquisition.restores.afterRestore({ page, ...(since && { since: timestampFromDate(since) }) });
    for (const { what, count } of answer.steps) done[what] = (done[what] ?? 0) + Number(count);
    if (answer.nextPage === '') return done;
    page = answer.nextPage;
  }
}

test('records lost in a restore are recorded again unchanged, in their newest version, with closings and terms', async () => {
  await acquisition.ingest('bulletin', notices(0, 450));
  await acquisition.ingest('bulletin', notices(0, 10, 'Amended works'));
  await acquisition.ingest('bulletin', notices(0, 60).replace('closes', 'closing_date'));
  const observations = structuredClone(lookup.observations);
  const closings = new Set(lookup.closings.map(({ key }) => key));
  lookup.lose();
  expect(await afterRestore()).toMatchObject({
    'raw records read again': 450,
    'observations recorded that the record had lost': observations.size,
    'observations that the record had': 0,
  });
  const titles = (rows: typeof observations) => [...rows.values()].map(({ key, title }) => `${key} ${title}`).sort();
  expect(titles(lookup.observations)).toEqual(titles(observations));
  expect(new Set(lookup.closings.map(({ key }) => key))).toEqual(closings);
  expect(lookup.sources.get('bulletin')).toMatchObject({ licence: 'Open licence' });
  expect(await afterRestore()).toMatchObject({
    'observations recorded that the record had lost': 0,
    'observations that the record had': observations.size,
  });
});

test('with an instant only records seen since then are read again', async () => {
  await acquisition.ingest('bulletin', notices(0, 20));
  const since = new Date(Date.now() + 60_000);
  expect(await afterRestore(since)).toMatchObject({ 'raw records read again': 0 });
});

test('a raw record that its connector can no longer read ends no page, and is named', async () => {
  let isBroken = false;
  const map: typeof bulletin.map = (raw, text) => {
    if (isBroken && raw.key === 'N-3') throw new TypeError('a fault of this connector');
    return bulletin.map(raw, text);
  };
  await acquisition[Symbol.asyncDispose]();
  acquisition = await startAcquisition({ lookup, sources: [{ ...bulletin, map }] });
  await acquisition.ingest('bulletin', notices(0, 10));
  lookup.lose();
  isBroken = true;
  const { steps, nextPage } = await acquisition.restores.afterRestore({ page: '' });
  expect(nextPage).toBe('');
  expect(steps.flatMap(({ unrepaired }) => unrepaired)).toEqual(['bulletin N-3']);
  expect(lookup.observations.size).toBe(9);
});
