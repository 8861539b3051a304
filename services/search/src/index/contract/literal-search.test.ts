import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';
import { wordsOf } from '../../text/words.ts';
import type { LiteralQuery } from '../observation-index.ts';

const LONG_WORD = 'ab1'.repeat(100);

describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex();
    const day = (number: number) => ({ observedAt: instant(`2026-10-${String(number).padStart(2, '0')}T00:00:00Z`) });
    await subject.apply({
      companies: [company(1n, 'The Montréal Cells Co.'), company(2n, 'Bakers')],
      observations: [
        observation(1n, 1n, 'Battery plants in the north', { ...day(1), excerpts: ['They said: hiring soon.'] }),
        observation(2n, 1n, 'A battery plant opened', day(3)),
        observation(3n, 2n, 'Another battery plant closed', { ...day(2), country: Country.CA, kind: Kind.JOB_POSTING }),
        observation(4n, 2n, 'battery plant', { ...day(3), recordedAt: instant('2026-11-01T00:00:00Z') }),
        observation(6n, 2n, `A key is ${LONG_WORD}.`, day(5)),
        observation(5n, 2n, 'C# and .NET developers for the plant', day(5)),
      ],
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  async function found(query: string, init: Partial<LiteralQuery> = {}): Promise<bigint[]> {
    const hits = await subject.index.findLiterally({
      words: wordsOf(query),
      filters: filters(),
      recordedBy: undefined,
      before: undefined,
      limit: 10,
      timeoutMs: undefined,
      ...init,
    });
    return hits.map((hit) => hit.observationId);
  }

  test('a word may be long', async () => {
    expect(await found(LONG_WORD)).toEqual([6n]);
  });

  test('every word must occur as a whole word, in any order; newest observed first, equal ones by id', async () => {
    expect(await found('plant battery')).toEqual([4n, 2n, 3n]);
    expect(await found('plants')).toEqual([1n]);
    expect(await found('batt plant')).toEqual([]);
    expect(await found('battery zeppelin')).toEqual([]);
  });

  test('case and accents do not matter', async () => {
    expect(await found('MONTREAL battéry')).toEqual([2n, 1n]);
  });

  test('the words of a query may be spread over the fact, an excerpt and the company name', async () => {
    expect(await found('cells hiring plants')).toEqual([1n]);
    expect(await found('bakers closed')).toEqual([3n]);
  });

  test('stop words count like any other word', async () => {
    expect(await found('the')).toEqual([5n, 2n, 1n]);
    expect(await found('they')).toEqual([1n]);
    expect(await found('they whom')).toEqual([]);
  });

  test('names made of signs are words', async () => {
    expect(await found('c#')).toEqual([5n]);
    expect(await found('C')).toEqual([]);
  });

  test('filters hold', async () => {
    expect(await found('battery', { filters: filters({ countries: [Country.CA] }) })).toEqual([3n]);
    expect(await found('battery', { filters: filters({ kinds: [Kind.JOB_POSTING] }) })).toEqual([3n]);
    const observedAfter = instant('2026-10-03T00:00:00Z');
    expect(await found('battery', { filters: filters({ observedAfter }) })).toEqual([4n, 2n]);
  });

  test('observations recorded after the requested instant are left out', async () => {
    expect(await found('battery plant', { recordedBy: instant('2026-10-31T00:00:00Z') })).toEqual([2n, 3n]);
  });

  test('pages follow by the keyset', async () => {
    expect(await found('battery', { limit: 2 })).toEqual([4n, 2n]);
    const before = { observedAt: instant('2026-10-03T00:00:00Z'), id: 2n };
    expect(await found('battery', { limit: 2, before })).toEqual([3n, 1n]);
    expect(await found('battery', { before: { observedAt: instant('2026-10-03T00:00:00Z'), id: 4n } })).toEqual([
      2n,
      3n,
      1n,
    ]);
  });
});
