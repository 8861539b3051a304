import { text } from 'node:stream/consumers';
import type { Document } from '../../connector/source.ts';
import { bounded } from '../../connector/unreadable.ts';
import { type CharsetOptions, DocumentDecoder } from './charset.ts';

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Without a byte order mark. Throws Undecodable. */
export async function* decoded(document: Document, options: CharsetOptions = {}): AsyncGenerator<string> {
  const decoder = new DocumentDecoder(document.contentType, options);
  for await (const chunk of document.body) {
    const piece = decoder.write(chunk);
    if (piece !== '') yield piece;
  }
  yield decoder.end();
}

export async function readText(
  document: Document,
  { maxBytes = DEFAULT_MAX_BYTES, ...options }: CharsetOptions & { readonly maxBytes?: number } = {},
): Promise<string> {
  const body = bounded(document.body, maxBytes, 'document');
  return await text(decoded({ ...document, body }, options));
}

/** Removes lone surrogates of cuts. Storage would replace each by U+FFFD. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
