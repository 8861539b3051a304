import { expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { documentOfText, readDocument } from '../../test-support/read-file.ts';
import type { MappedCompany } from '../connector/mapped.ts';
import type { Source } from '../connector/source.ts';
import type { ReadObservation } from './read-record.ts';
import { toObservationRecord } from './to-record.ts';

const ROWS =
  'number,title,buyer,published,closes,text,status,contact\nT-1,Snow,Town of Elm,2026-11-02,2026-12-01T14:00,Clear.,open,Jo\n';

async function read(company: Partial<MappedCompany>) {
  const map: Source['map'] = (raw, text) =>
    bulletin
      .map(raw, text)
      .map((one) => (one.type === 'observation' ? { ...one, company: { ...one.company, ...company } } : one));
  const { records } = await readDocument({ ...bulletin, map }, documentOfText(ROWS));
  const [{ observations, leftOut } = { observations: [], leftOut: [] }] = records;
  return { observation: observations[0] as ReadObservation, leftOut };
}

function keyOf(observation: ReadObservation) {
  const hash = new Uint8Array(32);
  const origin = { source: bulletin, kept: { hash, textHash: hash }, collectedAt: new Date(), operationId: undefined };
  return toObservationRecord(observation, origin).company;
}

test('a number that fails its form is left out and counted, and never becomes the key of the company', async () => {
  const identifiers = [
    { scheme: 'bn', value: '888791000' },
    { scheme: 'duns', value: '06-070-4781' },
    { scheme: 'lei', value: '5493001KJTIIGC8Y1R12' },
  ] as const;
  const { observation, leftOut } = await read({ identifiers });
  expect(leftOut).toEqual([{ type: 'left_out', reason: "the company's number (bn) is none" }]);
  expect(keyOf(observation)).toMatchObject({ key: 'lei:5493001KJTIIGC8Y1R12', identifiers: identifiers.slice(1) });
});

test('a number that several companies may share makes no key', async () => {
  const { observation } = await read({ identifiers: [{ scheme: 'ein', value: '471234567' }] });
  expect(keyOf(observation)).toMatchObject({ key: 'CA Town of Elm' });
});

test('former names are shown without contacts, with dates only where those are in order, fifty at most', async () => {
  const [since, until] = [new Date('2001-01-01'), new Date('2002-01-01')];
  const formerNames = [
    { name: 'Town of Ash, call 613-555-0142', since, until },
    { name: 'Town of Oak', since: until, until: since },
    { name: ' ' },
    ...Array.from({ length: 60 }, (_, index) => ({ name: `Town ${index}` })),
  ];
  const { observation } = await read({ formerNames });
  const recorded = observation.company.formerNames ?? [];
  expect(recorded).toHaveLength(50);
  expect(recorded.slice(0, 2)).toEqual([
    { name: expect.not.stringContaining('0142'), since, until },
    { name: 'Town of Oak' },
  ]);
});
