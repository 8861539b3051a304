import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Submission, submission } from '../../../test-support/edgar-submission.ts';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, summarise } from '../../../test-support/read-source.ts';
import { DriftWatch } from '../../ingest/drift.ts';
import { FORM_FIELDS } from './form.ts';
import { secFormD } from './source.ts';

const FORM = await readFile(new URL('documents/primary_doc.xml', import.meta.url), 'utf8');
const FIRST_SALE = '<value>2026-10-20</value>';

async function read(text: string): Promise<ReadSource> {
  return summarise(await readDocument(secFormD, documentOfText(text, { fetchedAt: new Date('2026-11-06T00:00:00Z') })));
}

async function notice(words: Readonly<Record<string, string>> = {}, about: Submission = {}): Promise<ReadSource> {
  const changed = Object.entries(words).reduce((text, [from, to]) => text.replaceAll(from, to), FORM);
  return await read(submission(`<XML>\n${changed}\n</XML>`, { form: 'D', fileNumber: '021-999999', ...about }));
}

test('a notice states the sum sold of the sum offered, on the day of the first sale', async () => {
  expect((await notice()).observations).toMatchObject([
    {
      key: '0009999999/021-999999',
      kind: 'funding_round',
      company: { name: 'Weirworks & Sons Inc.', country: 'US', identifiers: [{ scheme: 'cik', value: '0009999999' }] },
      observedFact:
        'Weirworks & Sons Inc. sold $5,725,051 of the $8,000,000 that it seeks in an exempt offering of equity (SEC Form D)',
      occurredAt: new Date('2026-10-20T00:00:00Z'),
      confidence: 0.9,
      eventIdentifiers: [{ scheme: 'accession', value: '0009999999-26-000017' }],
      categories: [],
    },
  ]);
});

test.each([
  [{ '>5725051<': '>8000000<' }, 'sold $8,000,000 in an exempt offering of equity (SEC Form D), all that it sought'],
  [
    { '>8000000<': '>Indefinite<' },
    'sold $5,725,051 in an exempt offering of equity (SEC Form D) without a stated max',
  ],
  [{ '>5725051<': '>0<' }, 'seeks $8,000,000 in an exempt offering of equity (SEC Form D), nothing sold at the time'],
])('%j is worded as it is', async (words, fact) => {
  expect((await notice(words)).observations[0]?.observedFact).toContain(fact);
});

test('before the first sale it is dated by its filing, and refused when that is not known', async () => {
  const unsold = { [FIRST_SALE]: '<yetToOccur>true</yetToOccur>', '>5725051<': '>0<' };
  expect((await notice(unsold)).observations[0]?.occurredAt).toEqual(new Date('2026-11-05T00:00:00Z'));
  const alone = await read(FORM.replace(FIRST_SALE, '<yetToOccur>true</yetToOccur>'));
  expect(alone.refused).toEqual(['filing date is missing, and there is no date of first sale']);
});

test('an amendment is the same observation and names the notice before it', async () => {
  const previous = '<previousAccessionNumber>0009999999-26-000017</previousAccessionNumber>';
  const { observations } = await notice(
    { '<isAmendment>false</isAmendment>': `<isAmendment>true</isAmendment>${previous}` },
    { form: 'D/A', accession: '0009999999-26-000031' },
  );
  expect(observations[0]?.key).toBe('0009999999/021-999999');
  expect(observations[0]?.eventIdentifiers.map(({ value }) => value)).toEqual([
    '0009999999-26-000031',
    '0009999999-26-000017',
  ]);
});

test('pooled funds, mergers and tests are left out', async () => {
  const left = await Promise.all([
    notice({ '<isEquityType>true</isEquityType>': '<isPooledInvestmentFundType>true</isPooledInvestmentFundType>' }),
    notice({ '>Manufacturing<': '>Pooled Investment Fund<' }),
    notice({ '<isBusinessCombinationTransaction>false': '<isBusinessCombinationTransaction>true' }),
    notice({ '>LIVE<': '>TEST<' }),
  ]);
  expect(left.flatMap(({ leftOut }) => leftOut)).toEqual([
    'the issuer is a pooled investment fund',
    'the issuer is a pooled investment fund',
    'the offering is part of a merger or exchange',
    'the notice is a test',
  ]);
  expect(left.flatMap(({ observations }) => observations)).toEqual([]);
});

test('a Canadian issuer has its country, any other is refused by the field', async () => {
  expect((await notice({ '>OH<': '>A1<' })).observations).toMatchObject([{ country: 'CA' }]);
  expect((await notice({ '>OH<': '>X0<' })).refused).toEqual([
    'edgarSubmission.primaryIssuer.issuerAddress.stateOrCountry is in neither Canada nor the United States',
  ]);
});

test('persons, their addresses and telephone numbers are not in the raw record', async () => {
  for (const { raws } of [await notice(), await read(FORM)])
    expect(raws[0]?.content).not.toMatch(/Ada|Sluice|Home Lane|Broker|555-0142/);
});

test.each(FORM_FIELDS)('with %s renamed it says nothing and is drift', async (name) => {
  const { observations, raws, refused } = await notice({ [`${name}>`]: `new-${name}>` });
  const drift = new DriftWatch(secFormD.fields);
  for (const raw of raws) drift.observe(raw.fields);
  expect(observations).toEqual([]);
  expect(refused).toEqual([`${name} is missing`]);
  expect(drift.missing()).toEqual([name]);
});

test('the bare form yields the same as its submission, except for identifiers', async () => {
  const { observations } = await read(FORM);
  expect(observations[0]?.observedFact).toBe((await notice()).observations[0]?.observedFact);
  expect(observations[0]?.eventIdentifiers).toEqual([]);
});

test('a document that is not XML is refused, and so is a DOCTYPE', async () => {
  expect((await notice({ '</edgarSubmission>': '' })).refused).toEqual(['document is no well-formed XML']);
  const entity = '<!DOCTYPE x [<!ENTITY e "boom">]><edgarSubmission>';
  expect((await notice({ '<edgarSubmission>': entity })).refused).toEqual(['document declares a DOCTYPE']);
});
