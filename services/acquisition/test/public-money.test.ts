import { contactSpans } from '@ces/proto/contact-details';
import { expect, test } from 'vitest';
import { sources } from '../src/sources/registry.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { readFile } from '../test-support/read-file.ts';
import { type ReadSource, summarise } from '../test-support/read-source.ts';

const ANSWERS = [
  { name: 'sbir_awards', file: 'sbir/awards_page.json', observations: 100, leftOut: 0 },
  { name: 'sbir_solicitations', file: 'sbir/solicitations_first12.json', observations: 12, leftOut: 0 },
  { name: 'usaspending_recipients', file: 'usaspending/recipient_profile_answer.json', observations: 1, leftOut: 0 },
  { name: 'sam_entity', file: 'sam_entity/entity_v3_answer_ZMXAHH8M8VL8.json', observations: 1, leftOut: 0 },
  { name: 'openfda_510k', file: 'openfda/device_510k_record.json', observations: 1, leftOut: 0 },
  { name: 'openfda_pma', file: 'openfda/device_pma_record.json', observations: 1, leftOut: 0 },
  { name: 'eccc_ghgrp', file: 'eccc_ghgrp/facilities.6rows.17columns.csv', observations: 2, leftOut: 0 },
] as const;

const PERSONAL =
  /"(?:poc_\w+|pi_\w+|ri_poc_\w+|contact|address_?(?:line)?_?[123]|street_[12]|pointsOfContact|repsAndCerts|mailingAddress)":/;
const MAKERS = /"(?:registration_number|fei_number)":/;
const PERSON = /GIVEN SURNAME|\b(?:Dr|Mr|Mrs|Ms|Prof)\. ?[A-Z][a-z]+/;

async function read({ name, file }: (typeof ANSWERS)[number]): Promise<ReadSource> {
  const source = sources.find((one) => one.name === name);
  if (!source) throw new Error(`no source is called ${name}`);
  return summarise(await readFile(source, `${PUBLISHED}fixtures/${file}`));
}

describePublished('published answers about public money, devices and registrations', () => {
  test.each(ANSWERS)('$file is read whole', async (answer) => {
    const { observations, leftOut, refused } = await read(answer);
    expect({ observations: observations.length, leftOut: leftOut.length, refused }).toEqual({
      observations: answer.observations,
      leftOut: answer.leftOut,
      refused: [],
    });
  });

  test.each(ANSWERS)('$file leaves no person, e-mail address or telephone number', async (answer) => {
    const { raws, observations } = await read(answer);
    const recorded = observations.flatMap((one) => [
      one.company.name,
      one.title ?? '',
      one.observedFact,
      ...one.excerpts,
    ]);
    for (const text of recorded) {
      expect(contactSpans(text)).toEqual([]);
      expect(text).not.toMatch(PERSON);
    }
    for (const { content } of raws) {
      expect(contactSpans(content)).toEqual([]);
      expect(content).not.toMatch(PERSONAL);
      expect(content).not.toMatch(MAKERS);
      expect(content).not.toMatch(PERSON);
    }
  });

  test.each(ANSWERS)('$file read again is the same records', async (answer) => {
    const [one, other] = [await read(answer), await read(answer)];
    expect(other.raws).toEqual(one.raws);
    expect(new Set(one.raws.map(({ key }) => key)).size).toBe(one.raws.length);
  });
});
