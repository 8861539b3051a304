import type { Document } from '../sources/source.ts';
import { type CharsetOptions, DocumentDecoder } from './charset.ts';

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Streams the characters of a document, without a byte order mark. Throws Undecodable. */
export async function* decoded(document: Document, options: CharsetOptions = {}): AsyncGenerator<string> {
  const decoder = new DocumentDecoder(document.contentType, options);
  for await (const chunk of document.body) {
    const text = decoder.write(chunk);
    if (text !== '') yield text;
  }
  yield decoder.end();
}

/** Reads a small document as a whole. Throws Undecodable, or TooLarge beyond `maxBytes`. */
export async function readText(
  document: Document,
  { maxBytes = DEFAULT_MAX_BYTES, ...options }: CharsetOptions & { readonly maxBytes?: number } = {},
): Promise<string> {
  const parts: string[] = [];
  for await (const part of decoded({ ...document, body: bounded(document.body, maxBytes) }, options)) parts.push(part);
  return parts.join('');
}

async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge(`the document is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

/**
 * Removes lone surrogates, which a cut leaves and some publishers write. Storage would replace each
 * by U+FFFD.
 */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** A document or record exceeds its bound. The run stops and reports it. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
