import { expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { canadabuys } from '../src/sources/canadabuys/source.ts';
import { canadabuysAwards } from '../src/sources/canadabuys-awards/source.ts';
import { samApi } from '../src/sources/sam-api/source.ts';
import { AWARDS, NOTICES_2025, NOTICES_2026, OPEN_TENDERS, type Row } from '../test-support/judged-tenders.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { readFile } from '../test-support/read-file.ts';

/** Every row was judged by reading it, before the rules were written. */
const DOCUMENTS: readonly (readonly [file: string, source: Source, rows: readonly Row[]])[] = [
  ['canadabuys/openTenderNotice.2026-08-31.3rows.csv', canadabuys, OPEN_TENDERS],
  ['canadabuys/awardNotice.2026.3rows.csv', canadabuysAwards, AWARDS],
  ['sam_gov/opportunities_v2_answer_2025_title_driving.json', samApi, NOTICES_2025],
  ['sam_gov/opportunities_v2_answer_2026-02-02.json', samApi, NOTICES_2026],
];

describePublished('what the publishers’ rows say', () => {
  test.each(DOCUMENTS)('%s is mapped row for row as a reader would', async (file, source, rows) => {
    const { raws, records, refusals } = await readFile(source, `${PUBLISHED}fixtures/${file}`);
    expect(refusals).toEqual([]);
    expect(raws).toHaveLength(rows.length);
    for (const [index, row] of rows.entries()) {
      const where = `${file}, row ${index + 1}`;
      const { observations = [], closings = [], leftOut = [] } = records[index] ?? {};
      expect(
        leftOut.map(({ reason }) => reason),
        where,
      ).toEqual(row.leftOut === undefined ? [] : [row.leftOut]);
      expect(observations, where).toHaveLength(row.asks ? 1 : 0);
      expect(closings, where).toHaveLength(row.closes ? 1 : 0);
      expect(raws[index]?.uri, where).toBe(row.page);
      if (row.closes) expect(closings[0], where).toMatchObject(row.closes);
      if (row.asks) {
        const { excerpt, place, ...asks } = row.asks;
        expect(observations[0], where).toMatchObject({ kind: 'procurement_request', sourceUri: row.page, ...asks });
        expect(observations[0]?.excerpts[0], where).toMatch(excerpt);
        const told = /\nPlace of performance: (.*)/.exec(observations[0]?.excerpts[0] ?? '')?.[1];
        expect(told, where).toBe(place);
      }
    }
  });

  test('a deadline from before the notice is not stated', async () => {
    const file = `${PUBLISHED}fixtures/sam_gov/opportunities_v2_answer_2025_title_driving.json`;
    const { records } = await readFile(samApi, file);
    const silent = records.filter(({ observations }) => !observations[0]?.observedFact.includes(', closes '));
    expect(silent.map(({ observations }) => observations[0]?.occurredAt)).toEqual([new Date('2025-02-03T00:00:00Z')]);
  });

  test('three notices of one solicitation name it alike, and so do its two spellings', async () => {
    const { records } = await readFile(
      samApi,
      `${PUBLISHED}fixtures/sam_gov/opportunities_v2_answer_2025_title_driving.json`,
    );
    const numbers = records.map(({ observations }) => observations[0]?.eventIdentifiers[0]?.value.replaceAll('-', ''));
    const times = new Map(numbers.map((number) => [number, numbers.filter((one) => one === number).length]));
    expect([...times.values()].sort()).toEqual([1, 1, 1, 1, 1, 2, 3]);
  });
});
