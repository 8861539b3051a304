import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex();
    const round = { kind: Kind.FUNDING_ROUND };
    await subject.apply({
      companies: [1n, 2n, 3n, 4n, 5n, 6n].map((id) => company(id, `Company ${id}`)),
      observations: [
        observation(11n, 1n, 'A battery plant for US$2,400 million'),
        observation(21n, 2n, 'A battery plant for US$24 million'),
        observation(31n, 3n, 'A battery plant'),
        observation(41n, 4n, 'Raised USD 5,000,000 in a Series A round', round),
        observation(51n, 5n, 'Raised USD 5,000,000 in a Series B round', round),
        observation(61n, 6n, 'Raised USD 5,000,000', round),
      ],
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test('observations with the amount come first, those without any next, those with another last; none is lost', async () => {
    expect(await subject.companiesFor('battery plants costing more than two billion dollars')).toEqual([1n, 3n, 2n]);
    const small = await subject.companiesFor('battery plants costing less than $100 million');
    expect(small.slice(0, 3)).toEqual([2n, 3n, 1n]);
  });

  test('a round is distinguished by its letter, including "a"', async () => {
    const rounds = filters({ kinds: [Kind.FUNDING_ROUND] });
    expect(await subject.companiesFor('Series A rounds', rounds)).toEqual([4n, 5n]);
    expect((await subject.companiesFor('funding rounds, not Series A', rounds)).at(-1)).toBe(4n);
  });

  test('a fact retrieves by itself', async () => {
    const { hits } = await subject.rank('more than two billion dollars');
    expect(hits[0]).toMatchObject({ observationId: 11n, factFactor: 1 });
  });
});
