import { Readable } from 'node:stream';
import { asStream, gen } from 'stream-chain';
import pick from 'stream-json/filters/pick.js';
import streamValues from 'stream-json/streamers/stream-values.js';
import type { Document } from '../../connector/source.ts';
import { jsonTokens } from './json-tokens.ts';
import { decoded } from './text.ts';

export interface JsonObject {
  readonly member: string;
  readonly value: unknown;
}

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
  const text = Readable.from(decoded(document));
  const values = asStream(gen(jsonTokens(), objects, streamValues()), { readableObjectMode: true });
  text.on('error', (error) => values.destroy(error));
  values.on('close', () => text.destroy());
  text.pipe(values);
  for await (const { value } of values as AsyncIterable<{ value: unknown }>)
    yield { member: picked.shift() ?? '', value };
}
