import { create } from '@bufbuild/protobuf';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import { type IndexUnderTest, planOfWords } from '../../../test-support/index-under-test.ts';
import { textOfObservation, textOfProfile } from '../../explaining/document-text.ts';
import { gainsOf, type TermGain } from '../../explaining/find-gains.ts';
import type { Ranking } from '../../ranking/ranking.ts';
import { wordsOf } from '../../text/words.ts';

// Words here equal their lexemes, so that a reference can count them.

const FACTS: ReadonlyMap<bigint, string> = new Map([
  [1n, 'battery plant in reno'],
  [2n, 'battery battery battery storage'],
  [3n, 'solar park and battery storage in a desert far from every town road and harbor'],
  [4n, 'flour mill'],
  [5n, 'solar roof'],
  [6n, 'plant plant'],
  [7n, 'gravel pit gravel pit gravel pit'],
  [8n, 'gravel pit beside fields and barns'],
]);
const DESCRIPTION = 'wind tower and wind farm';

function referenceScore(words: readonly string[], text: string): number {
  const texts = [...FACTS.values()].map(wordsOf);
  const own = wordsOf(text);
  const mean = texts.reduce((sum, each) => sum + each.length, 0) / texts.length;
  return words.reduce((score, word) => {
    const frequency = own.filter((each) => each === word).length;
    const documents = texts.filter((each) => each.includes(word)).length;
    const idf = Math.log(1 + (texts.length - documents + 0.5) / (documents + 0.5));
    return score + (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * own.length) / mean));
  }, 0);
}

function explained(ranking: Ranking, fact?: string): TermGain[][] {
  const profile = create(CompanyDocumentSchema, company(1n, '', { profile: DESCRIPTION }));
  return ranking.hits.map((hit) => {
    const text = fact ?? FACTS.get(hit.observationId) ?? '';
    const own = create(ObservationDocumentSchema, observation(hit.observationId, hit.companyId, text));
    return gainsOf(hit, ranking, textOfObservation(own, new Map()), textOfProfile(profile, new Map()));
  });
}

describeEngines((openIndex) => {
  let subject: IndexUnderTest;
  beforeAll(async () => {
    subject = await openIndex();
    await subject.apply({
      observations: [...FACTS].map(([id, fact]) => observation(id, 100n + id, fact)),
      companies: [...FACTS.keys()].map((id) =>
        company(100n + id, `Company ${id}`, {
          ...(id === 4n && { profile: DESCRIPTION }),
          ...(id === 3n && { otherNames: ['Zellward Works Inc.'] }),
        }),
      ),
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test.each([{ words: ['battery'] }, { words: ['battery', 'plant'] }, { words: ['solar', 'storage', 'mill'] }])(
    'scores $words as BM25 does',
    async ({ words }) => {
      const { hits } = await subject.rank(planOfWords(words));
      const matching = [...FACTS].filter(([, fact]) => words.some((word) => wordsOf(fact).includes(word)));
      expect(hits.map((hit) => hit.observationId).toSorted()).toEqual(matching.map(([id]) => id));
      for (const hit of hits) {
        const expected = referenceScore(words, FACTS.get(hit.observationId) ?? '');
        expect(Math.abs(hit.ownText / expected - 1)).toBeLessThan(0.02);
      }
      expect(hits.map((hit) => hit.ownText)).toEqual(hits.map((hit) => hit.ownText).toSorted((a, b) => b - a));
    },
  );

  test('synonymous phrases count once, however often a text has them and however short it is', async () => {
    const related = [['gravel', 'pit'], ['gravel', 'shaft'], ['shaft']].map((words) => ({ words, weight: 0.35 }));
    const { hits } = await subject.rank(
      planOfWords([], { activity: [{ words: ['quarry'], related, weight: 1, text: 'quarry' }] }),
    );
    const [first, second] = hits.map(({ ownText }) => ownText);
    expect(hits.map(({ observationId }) => observationId).toSorted()).toEqual([7n, 8n]);
    expect(first).toBeGreaterThan(0);
    expect(Math.abs((first ?? 0) / (second ?? 1) - 1)).toBeLessThan(0.001);
  });

  test('scores are normalised', async () => {
    const { hits } = await subject.rank(planOfWords(['battery', 'plant', 'solar']));
    for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true);
  });

  test('a company is also found by its description, with its observations inside the filters', async () => {
    const plan = planOfWords([], { description: [{ words: ['wind'], weight: 1, text: 'wind' }] });
    const { hits } = await subject.rank(plan);
    expect(hits.map((hit) => [hit.companyId, hit.observationId, hit.ownText])).toEqual([[104n, 4n, 0]]);
    expect(hits[0]?.companyContext).toBeGreaterThan(0);
    expect(await subject.companiesFor(plan, filters({ countries: [1] }))).toEqual([]);
  });

  test('a company comes by a name that it bore before', async () => {
    const plan = planOfWords([], { description: [{ words: ['zellward'], weight: 1, text: 'zellward' }] });
    const { hits } = await subject.rank(plan);
    expect(hits.map((hit) => [hit.companyId, hit.observationId])).toEqual([[103n, 3n]]);
  });

  test('an explanation names the words and what they gave', async () => {
    const plan = planOfWords(['flour'], { description: [{ words: ['tower'], weight: 1, text: 'tower' }] });
    const ranking = await subject.rank(plan);
    const [hit] = ranking.hits;
    expect(explained(ranking)[0]).toMatchObject([
      { term: { text: 'flour' }, ofCompany: false, value: hit?.ownText },
      { term: { text: 'tower' }, ofCompany: true, value: hit?.companyContext },
    ]);
  });

  test('an explanation divides a score as the engine added it up', async () => {
    const alternatives = [
      { words: ['battery'], weight: 0.5 },
      { words: ['solar', 'park'], weight: 0.5 },
    ];
    const plan = planOfWords(['storage', 'solar', 'plant'], {
      activity: [
        ...planOfWords(['storage', 'solar', 'plant']).activity,
        { words: [], related: alternatives, weight: 1, text: 'power' },
      ],
    });
    const ranking = await subject.rank(plan);
    const single = await Promise.all(plan.activity.map((term) => subject.rank(planOfWords([], { activity: [term] }))));
    for (const [at, gains] of explained(ranking).entries()) {
      const id = ranking.hits[at]?.observationId;
      for (const { term, value } of gains) {
        const alone = single[plan.activity.findIndex(({ text }) => text === term.text)];
        const expected = alone?.hits.find(({ observationId }) => observationId === id)?.ownText ?? 0;
        expect(Math.abs(value / expected - 1)).toBeLessThan(0.02);
      }
    }
  });

  test('the description of a company that was merged gives nothing and explains nothing', async () => {
    await using merged = await openIndex();
    await merged.apply({
      observations: [observation(1n, 2n, 'flour mill')],
      companies: [company(1n, 'Company'), company(2n, 'Company', { survivorId: 1n, profile: DESCRIPTION })],
    });
    const plan = planOfWords(['flour'], { description: [{ words: ['tower'], weight: 1, text: 'tower' }] });
    const ranking = await merged.rank(plan);
    expect(ranking.hits.map(({ companyContext }) => companyContext)).toEqual([0]);
    expect(explained(ranking, 'flour mill').map((gains) => gains.length)).toEqual([1]);
  });

  test('words of one meaning, and those side by side, count once however often they are there', async () => {
    await using repeating = await openIndex();
    await repeating.apply({
      observations: [
        observation(1n, 1n, 'flour mill flour mill corn corn'),
        observation(2n, 2n, 'flour mill stone wall tall road'),
        observation(3n, 3n, 'corn field stone wall tall road'),
      ],
    });
    for (const words of [['flour', 'mill'], ['corn']]) {
      const related = [...words.map((word) => ({ words: [word], weight: 0.5 })), { words, weight: 0.3 }];
      const plan = planOfWords([], { activity: [{ words: [], related, weight: 1, text: 'mill' }] });
      const { hits } = await repeating.rank(plan);
      const [most = 0, least = 0] = hits.map(({ ownText }) => ownText);
      expect([hits.length, Math.abs(most / least - 1) < 0.001]).toEqual([2, words.length > 1]);
    }
  });

  test('an explanation gives a word that names a kind nothing in observations of that kind', async () => {
    const naming = { words: ['plant'], namesKinds: [Kind.FACILITY_EXPANSION], weight: 1, text: 'plant' };
    const plan = planOfWords(['battery'], {
      activity: [{ words: ['battery'], weight: 1, text: 'battery' }, naming],
    });
    const gains = explained(await subject.rank(plan)).flat();
    expect(gains.map(({ term }) => term.text)).toContain('battery');
    expect(gains.map(({ term }) => term.text)).not.toContain('plant');
  });

  test('a plan without a word is answered only by the filters', async () => {
    expect(await subject.companiesFor(planOfWords([]), filters({ companyIds: [104n] }))).toEqual([104n]);
  });

  test('words without a lexeme find nothing and break nothing', async () => {
    expect(await subject.companiesFor(planOfWords(['the', 'of']))).toEqual([]);
  });

  test('the position of the feed comes with the answer', async () => {
    expect((await subject.rank(planOfWords(['battery']))).position).toMatchObject({ tx: 1n, seq: 1n });
  });
});
