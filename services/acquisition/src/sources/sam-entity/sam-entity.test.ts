import { expect, test } from 'vitest';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { samEntity } from './source.ts';

const KEY = 'k'.repeat(40);
const answer = await readBeside(import.meta.url, 'documents/entities.json', samEntity);

test('an active entity is a profile with its numbers, website and primary industry', () => {
  expect(titled(answer, 'WEIRWORKS ENERGY LLC')).toMatchObject({
    key: 'WEJRWKRBTJC9',
    kind: 'company_profile',
    company: {
      country: 'US',
      hostnames: ['www.weirworks.example.com'],
      identifiers: [
        { scheme: 'uei', value: 'WEJRWKRBTJC9' },
        { scheme: 'cage', value: '9ZZ01' },
      ],
    },
    observedFact:
      'WEIRWORKS ENERGY LLC is registered for US federal awards, in FAIRLOCK, Ohio, USA, primary industry NAICS 333611 Turbine and Turbine Generator Set Units Manufacturing, UEI WEJRWKRBTJC9',
    categories: ['31-33'],
    excerpts: [expect.stringContaining('541330 Engineering Services')],
  });
});

test('a Canadian entity has its country, and an e-mail address is no website', () => {
  expect(titled(answer, 'LOCK GATE LABS LTD').company).toMatchObject({ country: 'CA', hostnames: [] });
});

test('registrations that ended or are not shown and people are left out, other countries are refused', () => {
  expect(answer.leftOut).toEqual([
    'the registration is not active',
    'the entity is not displayed in public',
    'the entity is a person',
  ]);
  expect(answer.refused).toEqual(['coreData.physicalAddress.countryCode is neither Canada nor the United States']);
});

test('points of contact, statements, streets and payment are not in the raw records', () => {
  for (const { content } of answer.raws)
    expect(content).not.toMatch(/firstName|signer|HOME LANE|PO BOX|creditCard|weirworks\.example\.com"}/);
});

test('a run requests ten UEIs, those after the last one first, and only the request contains the key', () => {
  const ueis = Array.from({ length: 12 }, (_, index) => `WEJRWKRBTJ${String(index).padStart(2, '0')}`);
  const settings = new Map([
    ['api_key', KEY],
    ['ueis', `${ueis.join(', ')}, nonsense`],
  ]);
  const requests = samEntity.requests?.({ now: new Date(), settings, watermark: ueis[4] }) ?? [];
  expect(requests.map(({ about }) => about?.uei)).toEqual([...ueis.slice(5), ...ueis.slice(0, 3)]);
  for (const { url, secretParameters, about } of requests) {
    expect(secretParameters).toEqual(['api_key']);
    expect(new URL(url).searchParams.get('api_key')).toBe(KEY);
    expect(JSON.stringify(about)).not.toContain(KEY);
  }
});

test('nothing is asked without a key', () => {
  const settings = new Map([['ueis', 'WEJRWKRBTJC9']]);
  expect(samEntity.requests?.({ now: new Date(), settings, watermark: undefined })).toEqual([]);
});
