import { expect, test } from 'vitest';
import { Country, DemandClass, Kind } from '../gen/ces/catalog/v1/catalog_pb.ts';
import {
  COUNTRY_NAMES,
  countryName,
  countryOf,
  DEMAND_CLASS_NAMES,
  demandClassName,
  demandClassNamed,
  demandClassOf,
  KIND_NAMES,
  KINDS,
  kindName,
} from './catalog.ts';

test('every value of the contract has a name, and every name a value', () => {
  const values = (one: object) => Object.values(one).filter((value) => typeof value === 'number' && value !== 0);
  expect(KINDS).toEqual(values(Kind));
  expect(COUNTRY_NAMES.map(countryOf)).toEqual(values(Country));
  expect(DEMAND_CLASS_NAMES.map(demandClassNamed)).toEqual(values(DemandClass));
  expect(KINDS.map(kindName)).toEqual(KIND_NAMES);
  expect(values(Country).map(countryName)).toEqual(COUNTRY_NAMES);
  expect(values(DemandClass).map(demandClassName)).toEqual(DEMAND_CLASS_NAMES);
});

test('a number that names nothing has no name', () => {
  expect([kindName(0), kindName(10), countryName(0), demandClassName(4)]).toEqual(Array(4).fill(undefined));
});

test('a request is demand, a profile is fit, anything else hints at demand', () => {
  expect(KIND_NAMES.map(demandClassOf)).toEqual(['explicit_request', ...Array(7).fill('proxy'), 'structural']);
});
