import { create } from '@bufbuild/protobuf';
import { ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { expect, test } from 'vitest';
import { analyseObservation } from './analyse.ts';

const CODES = new Map([
  ['NV', 'nevada'],
  ['SC', 'south carolina'],
  ['ON', 'ontario'],
]);

function analyse(observedFact: string, excerpts: string[] = []) {
  return analyseObservation(create(ObservationDocumentSchema, { observedFact, excerpts }), CODES);
}

test('a state or province written as a code is found by its name, and stays unchanged for literal searches', () => {
  expect(analyse('Opened in Reno, NV 89434')).toMatchObject({
    searchable: 'opened in reno nv nevada 89434',
    words: 'opened in reno nv 89434',
    length: 6,
  });
  expect(analyse('Analyst in US-SC-Greer').searchable).toContain('sc south carolina greer');
});

test('a code with another meaning is not changed', () => {
  expect(analyse('An ON switch; CON, ONE, on').searchable).toBe('an on switch con one on');
});

test('the fact and every excerpt are searched', () => {
  expect(analyse('A fact', ['first excerpt', 'second excerpt']).words).toBe('a fact first excerpt second excerpt');
});
