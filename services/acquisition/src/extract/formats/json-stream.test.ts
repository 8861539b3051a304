import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { type JsonObject, readJsonObjects } from './json-stream.ts';

async function objects(text: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const one of readJsonObjects(documentOfText(text), ['publisher', 'releases'])) found.push(one);
  return found;
}

test('members and items of members come in the order of the document, whatever is between them', async () => {
  const text =
    '{"uri":"u","releases":[{"publisher":{"a":1},"releases":[{"b":2}]},5,null,[{"c":3}],{}],"publisher":{"d":4},"other":{"e":5}}';
  expect(await objects(text)).toEqual([
    { member: 'releases', value: { publisher: { a: 1 }, releases: [{ b: 2 }] } },
    { member: 'releases', value: {} },
    { member: 'publisher', value: { d: 4 } },
  ]);
});

test('a document that breaks off or is no JSON is an error', async () => {
  await expect(objects('{"releases":[{"a":1},')).rejects.toThrow();
  await expect(objects('<html>')).rejects.toThrow();
});

test('a reader that stops early leaves nothing running', async () => {
  const endless = async function* () {
    yield Buffer.from('{"releases":[');
    for (;;) yield Buffer.from('{"a":1},');
  };
  let count = 0;
  for await (const _ of readJsonObjects({ ...documentOfText(''), body: endless() }, ['releases'])) {
    count += 1;
    if (count === 3) break;
  }
  expect(count).toBe(3);
});
