import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../../test-support/gateway.ts';
import { findBreaks, type JsonObject } from './breaks.ts';

const released: JsonObject = JSON.parse(
  await readFile(path.join(import.meta.dirname, '../../released/openapi.json'), 'utf8'),
);

test('the interface has changed only by additions since the released document', async () => {
  await using gateway = await startGateway({});
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as JsonObject;
  expect(Object.keys(document.paths ?? {}).length).toBeGreaterThan(0);
  expect(findBreaks(released, document)).toEqual([]);
});

const CALL = 'POST /things';

function documentOf(sent: JsonObject, got: JsonObject, more: JsonObject = {}): JsonObject {
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const post = { requestBody: json(sent), responses: { 200: json(got) }, ...more };
  return { paths: { '/things': { post } } };
}

const text = { type: 'string', maxLength: 10, enum: ['a', 'b'] };
const thing = { type: 'object', properties: { name: text }, required: ['name'] };
const before = documentOf(thing, thing);

test.each([
  ['a call', { paths: {} }, 'is gone'],
  ['a field that must be sent', documentOf({ ...thing, required: ['name', 'size'] }, thing), 'required'],
  ['a field that is no longer promised', documentOf(thing, { ...thing, required: [] }), 'required'],
  ['a field that is no longer sent back', documentOf(thing, { ...thing, properties: {} }), 'has no name'],
  [
    'a value that is no longer taken',
    documentOf({ ...thing, properties: { name: { ...text, enum: ['a'] } } }, thing),
    'enum',
  ],
  [
    'a value that was unknown',
    documentOf(thing, { ...thing, properties: { name: { ...text, enum: ['a', 'b', 'c'] } } }),
    'enum',
  ],
  [
    'a shorter text that is taken',
    documentOf({ ...thing, properties: { name: { ...text, maxLength: 9 } } }, thing),
    'maxLength',
  ],
  [
    'a longer text that is answered',
    documentOf(thing, { ...thing, properties: { name: { ...text, maxLength: 11 } } }),
    'maxLength',
  ],
  [
    'another type',
    documentOf(thing, { ...thing, properties: { name: { ...text, type: ['string', 'null'] } } }),
    'type',
  ],
  [
    'a parameter that is needed',
    documentOf(thing, thing, { parameters: [{ in: 'query', name: 'q', required: true }] }),
    'needs query q',
  ],
  ['a pattern', documentOf({ ...thing, properties: { name: { ...text, pattern: '^a' } } }, thing), 'pattern'],
])('%s that changed is found', (_, now, said) => {
  expect(findBreaks(before, now).join()).toContain(`${CALL}`);
  expect(findBreaks(before, now).join()).toContain(said);
});

test('a new call, optional field, answered field and looser input are additions', () => {
  const size = { type: 'integer' };
  const looser = {
    ...thing,
    required: [],
    properties: { name: { ...text, maxLength: 11, enum: ['a', 'b', 'c'] }, size },
  };
  const richer = { ...thing, required: ['name', 'size'], properties: { name: { ...text, maxLength: 9 }, size } };
  const now = documentOf(looser, richer);
  expect(findBreaks(before, { paths: { ...(now.paths as JsonObject), '/others': {} } })).toEqual([]);
});
