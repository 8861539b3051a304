import { KINDS } from '@ces/proto/catalog';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { countryIn, DEAD, isDeliveredUntilIn, kindIn, observationCode } from './observation-code.ts';

const COUNTRIES = Object.values(Country).filter((value) => typeof value === 'number');

test('every kind and country is decoded from its code, and none has the code of a deleted document', () => {
  for (const kind of KINDS)
    for (const country of [...COUNTRIES, 999])
      for (const isDeliveredUntil of [false, true]) {
        const code = observationCode(kind, country, isDeliveredUntil);
        expect([kindIn(code), countryIn(code), isDeliveredUntilIn(code)]).toEqual([kind, country, isDeliveredUntil]);
        expect(kindIn(DEAD)).not.toBe(kind);
      }
});

test('values out of range are refused', () => {
  expect(() => observationCode(31, 1, false)).toThrow(RangeError);
  expect(() => observationCode(1, 1_000, false)).toThrow(RangeError);
});
