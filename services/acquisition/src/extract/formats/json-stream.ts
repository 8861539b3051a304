import { pipeline, Readable } from 'node:stream';
import { asStream, gen } from 'stream-chain';
import pick from 'stream-json/filters/pick.js';
import parser, { type Token } from 'stream-json/parser.js';
import streamArray from 'stream-json/streamers/stream-array.js';
import streamValues from 'stream-json/streamers/stream-values.js';
import { refused } from '../../connector/refuse.ts';
import { type Document, MAX_RECORD_BYTES, type Refusal } from '../../connector/source.ts';
import { isRounded, parseJson } from './json.ts';
import { decoded } from './text.ts';

export async function* readJsonItems(document: Document, path = ''): AsyncGenerator<unknown> {
  const stages =
    path === '' ? gen(jsonTokens(), streamArray()) : gen(jsonTokens(), pick({ filter: path }), streamArray());
  for await (const { value } of valuesOf(document, asStream(stages, OBJECTS))) yield value;
}

export interface JsonObject {
  readonly member: string;
  readonly value: unknown;
}

/** Objects that are one of `members` of the document, or items of one. */
export async function* readJsonObjects(document: Document, members: readonly string[]): AsyncGenerator<JsonObject> {
  const names = new Set<unknown>(members);
  const picked: string[] = [];
  const objects = pick({
    filter: (path, token) => {
      const listed = path.length === 2 && typeof path[1] === 'number';
      if (token.name !== 'startObject' || !(path.length === 1 || listed) || !names.has(path[0])) return false;
      picked.push(String(path[0]));
      return true;
    },
  });
  const stages = gen(jsonTokens(), objects, streamValues());
  for await (const { value } of valuesOf(document, asStream(stages, OBJECTS)))
    yield { member: picked.shift() ?? '', value };
}

export type JsonLine =
  | { readonly type: 'line'; readonly line: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export async function* readJsonLines(document: Document): AsyncGenerator<JsonLine> {
  let number = 0;
  for await (const line of textLines(document)) {
    number += 1;
    if (line.trim() !== '') yield toLine(line, number);
  }
}

const OBJECTS = { readableObjectMode: true };

function valuesOf(document: Document, items: ReturnType<typeof asStream>): AsyncIterable<{ readonly value: unknown }> {
  return pipeline(Readable.from(decoded(document)), items, () => undefined);
}

function jsonTokens() {
  return gen(parser(), exactNumber);
}

function exactNumber(token: Token): Token {
  return token.name === 'numberValue' && isRounded(token.value) ? { name: 'stringValue', value: token.value } : token;
}

function toLine(line: string, number: number): JsonLine {
  const refuseLine = (reason: string) => refused(`line ${number}`, 'line', reason);
  if (line.length > MAX_RECORD_BYTES) return refuseLine(`is longer than ${MAX_RECORD_BYTES} characters`);
  try {
    return { type: 'line', line: number, value: parseJson(line) };
  } catch {
    return refuseLine('is no JSON');
  }
}

async function* textLines(document: Document): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of decoded(document)) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield parts.join('') + chunk.slice(start, end);
      parts = [];
      length = 0;
      start = end + 1;
    }
    if (length > MAX_RECORD_BYTES) continue;
    parts.push(chunk.slice(start));
    length += chunk.length - start;
  }
  yield parts.join('');
}
