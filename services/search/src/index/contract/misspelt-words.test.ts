import { expect, test } from 'vitest';
import { observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

describeEngines((openIndex) => {
  async function openFurnished(): Promise<IndexUnderTest> {
    const subject = await openIndex();
    const texts = [
      ...Array.from({ length: 6 }, () => 'office furniture of oak'),
      'one furnture of ash',
      'postgres',
      'gravel',
    ];
    await subject.apply({ observations: texts.map((text, at) => observation(BigInt(at + 1), BigInt(at + 1), text)) });
    await subject.index.refreshStatistics();
    return subject;
  }

  test('a word that is rare in the record also finds a frequent word one letter away, ranked after the exact word', async () => {
    await using subject = await openFurnished();
    expect(await subject.companiesFor('furniture')).not.toContain(7n);
    expect((await subject.companiesFor('furnture'))[0]).toBe(7n);
    expect((await subject.companiesFor('furnture')).toSorted()).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    expect(await subject.companiesFor('ofice')).toHaveLength(6);
  });

  test('quoted words, words with digits, and words without a frequent neighbour stay as they are written', async () => {
    await using subject = await openFurnished();
    expect(await subject.companiesFor('"furnture"')).toEqual([7n]);
    expect(await subject.companiesFor('furn1ture')).toEqual([]);
    expect(await subject.companiesFor('grovel')).toEqual([]);
    expect(await subject.companiesFor('xurniture')).toEqual([]);
  });

  test('a word that the vocabulary knows is no mistake', async () => {
    await using subject = await openIndex();
    const texts = Array.from({ length: 6 }, () => 'a carbo diet');
    await subject.apply({ observations: texts.map((text, at) => observation(BigInt(at + 1), BigInt(at + 1), text)) });
    await subject.index.refreshStatistics();
    expect(await subject.companiesFor('carfo')).toHaveLength(6);
    expect(await subject.companiesFor('cargo')).toEqual([]);
  });
});
