import { expect, test } from 'vitest';
import { recorded } from './recorded-body.ts';

const SECRET = 'k\u00e9y /+"1';
const CUT = 4 * 1024 * 1024;

async function record(text: string | Uint8Array, secrets: readonly string[]) {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const { body, recording } = recorded(pieces(), secrets);
  for await (const _ of body);
  return { text: Buffer.from(recording.bytes()).toString(), isCut: recording.isCut() };
}

test.each([
  ['as it is', SECRET],
  ['as a part of an address', encodeURIComponent(SECRET)],
  ['as a field of a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['as JSON writes it', JSON.stringify(SECRET).slice(1, -1)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
])('a secret that an answer repeats %s is not handed over', async (_, written) => {
  expect(await record(`before ${written} behind`, [SECRET])).toEqual({ text: 'before [secret] behind', isCut: false });
});

test('one that lies over the cut leaves nothing of itself', async () => {
  const { text, isCut } = await record(`${'x'.repeat(CUT - 4)}topsecret and more`, ['topsecret']);
  expect(isCut).toBe(true);
  expect(text.length).toBe(CUT);
  expect(text.endsWith('x[sec')).toBe(true);
});

test('an answer is stored byte for byte, and an empty secret removes nothing', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const { recording, body } = recorded(
    (async function* () {
      yield bytes;
    })(),
    [''],
  );
  for await (const _ of body);
  expect([...recording.bytes()]).toEqual([...bytes]);
});
