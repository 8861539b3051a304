import { Readable } from 'node:stream';
import { asStream, gen } from 'stream-chain';
import pick from 'stream-json/filters/pick.js';
import streamArray from 'stream-json/streamers/stream-array.js';
import { type Document, MAX_RECORD_BYTES, type Refusal } from '../../connector/source.ts';
import { parseJson } from './json.ts';
import { jsonTokens } from './json-tokens.ts';
import { decoded } from './text.ts';

/**
 * Streams the items of the array at `path`, such as `releases`. With an empty path the document is
 * the array.
 */
export async function* readJsonItems(document: Document, path = ''): AsyncGenerator<unknown> {
  const text = Readable.from(decoded(document));
  const stages =
    path === '' ? gen(jsonTokens(), streamArray()) : gen(jsonTokens(), pick({ filter: path }), streamArray());
  const items = asStream(stages, { readableObjectMode: true });
  text.on('error', (error) => items.destroy(error));
  items.on('close', () => text.destroy());
  text.pipe(items);
  for await (const item of items as AsyncIterable<{ value: unknown }>) yield item.value;
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

function toLine(line: string, number: number): JsonLine {
  const refused = (reason: string): JsonLine => ({
    type: 'refused',
    refusal: { key: `line ${number}`, field: 'line', reason },
  });
  if (line.length > MAX_RECORD_BYTES) return refused(`is longer than ${MAX_RECORD_BYTES} characters`);
  try {
    return { type: 'line', line: number, value: parseJson(line) };
  } catch {
    return refused('is no JSON');
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
