import { expect, test } from 'vitest';
import { company, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import { planOfWords } from '../../../test-support/index-under-test.ts';

describeEngines((openIndex) => {
  test('descriptions that come after the words were counted are searched all the same', async () => {
    await using subject = await openIndex();
    const observations = [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'flour mill')];
    await subject.apply({ observations, companies: [company(1n, 'One'), company(2n, 'Two')] });
    await subject.apply({ companies: [company(2n, 'Two', { version: 2n, profile: 'makes battery cells' })] });
    expect((await subject.companiesFor('battery')).toSorted()).toEqual([1n, 2n]);
  });

  test('a ranking says how many observations the frequencies of words were counted in', async () => {
    await using subject = await openIndex();
    expect((await subject.rank('battery')).countedObservations).toBe(0);
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'flour mill')] });
    expect((await subject.rank('battery')).countedObservations).toBe(2);
  });

  test('the description of a merged company has no part in the frequencies of words', async () => {
    const contextBeside = async (merged: readonly ReturnType<typeof company>[]) => {
      await using subject = await openIndex();
      const others = [
        company(1n, 'One', { profile: 'makes chargers' }),
        company(2n, 'Two', { profile: 'mills flour' }),
      ];
      await subject.apply({
        companies: [...others, ...merged],
        observations: [observation(1n, 1n, 'opened a hall'), observation(2n, 2n, 'flour mill')],
      });
      return (await subject.rank('chargers')).hits[0]?.companyContext ?? 0;
    };
    const merged = company(3n, 'Three', { profile: 'makes chargers, and chargers for chargers', survivorId: 1n });
    const expected = await contextBeside([]);
    expect(expected).toBeGreaterThan(0);
    expect(await contextBeside([merged])).toBeCloseTo(expected, 6);
  });

  test('a word with a digit keeps its ending', async () => {
    await using subject = await openIndex();
    await subject.apply({ observations: [observation(1n, 1n, 'a mill of model3s'), observation(2n, 2n, 'a mill')] });
    expect(await subject.companiesFor(planOfWords(['model3s']))).toEqual([1n]);
  });
});
