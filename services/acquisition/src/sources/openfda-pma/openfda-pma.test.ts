import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { openfdaPma } from './source.ts';

const page = await readBeside(import.meta.url, 'documents/approvals.json', openfdaPma);

test('an approval is a device that its applicant may sell', () => {
  expect(titled(page, 'FLOWGATE VALVE SYSTEM P269901')).toMatchObject({
    key: 'P269901',
    kind: 'product_launch',
    company: { name: 'Sluice Cardio, Inc.', country: 'US', identifiers: [] },
    observedFact:
      'Sluice Cardio, Inc. had FLOWGATE VALVE SYSTEM (Valve, Heart, Percutaneous) approved by the FDA (premarket approval P269901)',
    occurredAt: new Date('2026-08-21T00:00:00Z'),
    sourceUri: 'https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpma/pma.cfm?id=P269901',
    excerpts: [expect.stringContaining('INDICATED FOR PATIENTS WITH A NARROW VALVE')],
  });
});

test('one without a trade name is called by its kind', () => {
  expect(titled(page, 'VALVE, HEART, PERCUTANEOUS P269902').observedFact).toBe(
    'Dike Neuro Corp had VALVE, HEART, PERCUTANEOUS approved by the FDA (premarket approval P269902)',
  );
});

test('supplements and other decisions are left out, an applicant without a state is refused', () => {
  expect(page.leftOut).toEqual([
    'a supplement changes a device that was approved before',
    'the decision approves no device',
  ]);
  expect(page.refused).toEqual(['state is missing']);
  expect(page.raws.map(({ key }) => key)).toContain('P199903/S031');
});

test('streets and the numbers of other makers are not in the raw records', () => {
  for (const { content } of page.raws) expect(content).not.toMatch(/HOME LANE|3009999901|9999991/);
});

test('a run asks for decisions on approvals', () => {
  const [request] = openfdaPma.requests?.({ now: new Date(), settings: new Map(), watermark: undefined }) ?? [];
  expect(request?.url).toMatch(/^https:\/\/api\.fda\.gov\/device\/pma\.json\?search=decision_date/);
});
