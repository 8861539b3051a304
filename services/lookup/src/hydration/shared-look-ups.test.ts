import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, recordCompanies } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { shareLookUps } from './shared-look-ups.ts';

let service: StartedLookup;
beforeAll(async () => {
  service = await startLookup();
});
afterAll(() => service[Symbol.asyncDispose]());

test('look-ups of one moment share statements of a bounded number of ids, and a statement that fails leaves the others', async () => {
  const [companyId = 0n] = await recordCompanies(service, [aCompany('a')]);
  let statements = 0;
  const lookUp = shareLookUps({
    read: (work) => {
      statements += 1;
      return work(service.pool);
    },
  });
  const asked = Array.from({ length: 30 }, (_, index) => {
    const others = Array.from({ length: 19 }, (_, at) => 1_000_000n + BigInt(index * 20 + at));
    return [index === 0 ? 2n ** 64n : companyId, ...others];
  });
  const outcomes = await Promise.allSettled(asked.map((ids) => lookUp(ids)));
  expect(statements).toBe(3);
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(10).fill('rejected'), ...Array(20).fill('fulfilled')]);
  for (const outcome of outcomes)
    if (outcome.status === 'fulfilled')
      expect(outcome.value.inputs.map(({ known }) => known)).toEqual([true, ...Array(19).fill(false)]);
});
