import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { readHead } from './head.ts';
import { decoded, readText } from './text.ts';

const NAME = 'Ville de Montréal – l’Île';
const BYTES = Buffer.from('Ville de Montr\xe9al \x96 l\x92\xcele', 'latin1');

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

async function* bytewise(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

async function textOf(bytes: Uint8Array, about: { contentType?: string } = {}): Promise<string> {
  const parts: string[] = [];
  for await (const part of decoded({ ...documentOfText('', about), body: bytewise(bytes) })) parts.push(part);
  return parts.join('');
}

test.each([
  ['UTF-8', Buffer.from(NAME)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${NAME}`)],
  ['UTF-16LE', utf16(NAME, 'le')],
  ['UTF-16BE', utf16(NAME, 'be')],
  ['Windows-1252', BYTES],
])('a document that declares nothing is read where it is surely in %s', async (_, bytes) => {
  expect(await textOf(bytes)).toBe(NAME);
  expect(await readText(documentOfText(bytes))).toBe(NAME);
});

test.each([
  ['\x93\xc9nergie\x94 \x96 l\x92\xcele\x85', '“Énergie” – l’Île…'],
  ['jusqu\x92\xe0\x85 \x93\xe0\x94', 'jusqu’à… “à”'],
  ['vis\x96\xe0\x96vis', 'vis–à–vis'],
  ['caf\xe9\x97\xe9cole \x93\x8cuvre\x94 c\x9cur', 'café—école “Œuvre” cœur'],
])('marks next to letters are read where Windows-1252 is not declared: %j', async (bytes, text) => {
  expect(await textOf(Buffer.from(bytes, 'latin1'))).toBe(text);
});

test.each([
  'text/plain; charset=ISO-8859-1',
  'text/plain; charset="latin1"',
  'text/plain;CHARSET=us-ascii',
  'text/plain; charset=windows-1252',
])('%s is Windows-1252 as browsers read it', async (contentType) => {
  expect(await textOf(BYTES, { contentType })).toBe(NAME);
});

test('a byte order mark comes before the header of the answer, which comes before the declaration of the document', async () => {
  const xml = (charset: string, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${charset}"?>`), bytes]);
  expect(await textOf(xml('ISO-8859-1', BYTES))).toContain(NAME);
  expect(await textOf(xml('UTF-8', BYTES), { contentType: 'text/xml; charset=iso-8859-1' })).toContain(NAME);
  expect(await textOf(utf16(NAME, 'le'), { contentType: 'text/xml; charset=iso-8859-1' })).toBe(NAME);
  expect(await textOf(xml('utf-16', Buffer.from(NAME)))).toContain(NAME);
  expect(await textOf(Buffer.from(NAME), { contentType: 'text/xml; charset=of-nobody' })).toBe(NAME);
});

test('a meta element that a document quotes declares nothing', async () => {
  const quoting = Buffer.from(`<rss><description><![CDATA[<meta charset="iso-8859-1">]]>${NAME}</description></rss>`);
  expect(await readText(documentOfText(quoting))).toContain(NAME);
});

test.each([
  ['Windows-1252 declared as UTF-8', BYTES, { contentType: 'text/plain; charset=utf-8' }],
  ['UTF-8 with a broken byte', Buffer.concat([Buffer.from(NAME), Buffer.of(0xff)]), {}],
  ['UTF-8 that ends within a character', Buffer.from(NAME.slice(0, 15)).subarray(0, -1), {}],
  ['Mac OS Roman', Buffer.from('Ville de Montr\x8eal', 'latin1'), {}],
  ['Shift_JIS', Buffer.from('\x93\xfa\x96\x7b', 'latin1'), {}],
  ['Shift_JIS among ASCII', Buffer.from('Nikkei (\x93\xfa\x8c\x6f)', 'latin1'), {}],
  ['Windows-1251', Buffer.from('\xca\xee\xec\xef\xe0\xed\xe8\xff', 'latin1'), {}],
  ['UTF-16 that ends within a character', utf16(NAME, 'be').subarray(0, -1), {}],
])('%s is refused, and no character is replaced', async (_, bytes, about) => {
  await expect(textOf(bytes, about)).rejects.toThrow(/^the document holds bytes that are not /);
  await expect(readText(documentOfText(bytes, about))).rejects.toThrow(/^the document holds bytes that are not /);
});

test('a charset is detected far after a beginning that is the same in all of them', async () => {
  const beginning = 'name '.repeat(50_000);
  expect(await readText(documentOfText(Buffer.concat([Buffer.from(beginning), BYTES])))).toBe(beginning + NAME);
  const long = NAME.repeat(10_000);
  expect(await readText(documentOfText(Buffer.from(beginning + long)))).toBe(beginning + long);
});

test('a replacement character that the source published is its own', async () => {
  expect(await textOf(Buffer.from('Montr\ufffdal'))).toBe('Montr\ufffdal');
});

test.each(['le', 'be'] as const)(
  'the head of a document in UTF-16 is read as its byte order mark says: %s',
  async (order) => {
    const { head } = await readHead(documentOfText(utf16(' [1]', order)), () => false, 100);
    expect(head).toBe('[1]');
  },
);
