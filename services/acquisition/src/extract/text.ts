import iconv from 'iconv-lite';
import type { Document } from '../sources/source.ts';

const DEFAULT_MAX_CHARACTERS = 16 * 1024 * 1024;

/** The characters of a document as they stream by; a byte order mark is dropped. */
export async function* decoded(document: Document, charset = charsetOf(document.contentType)): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(charset);
  for await (const chunk of document.body) {
    const text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (text !== '') yield text;
  }
  yield decoder.end() ?? '';
}

/** A small document as a whole. `declared`: its first bytes may name the charset, as XML does. */
export async function readText(
  document: Document,
  options: { charset?: string; declared?: boolean; maxCharacters?: number } = {},
): Promise<string> {
  const { maxCharacters = DEFAULT_MAX_CHARACTERS } = options;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of document.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxCharacters) throw new TooLarge(`the document is larger than ${maxCharacters} bytes`);
  }
  const bytes = Buffer.concat(chunks);
  const declared = options.declared ? declaredCharset(bytes) : undefined;
  return iconv.decode(bytes, options.charset ?? declared ?? charsetOf(document.contentType));
}

/** The charset that a `Content-Type` names, if it is one we can read; UTF-8 otherwise. */
function charsetOf(contentType: string | undefined): string {
  return known(/charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1]) ?? 'utf-8';
}

/** A byte order mark of UTF-16 says more than any declaration: with it, a declaration cannot be read. */
function declaredCharset(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return known(/^\s*<\?xml[^>]{0,80}encoding=["']([\w.:-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]);
}

function known(charset: string | undefined): string | undefined {
  return charset && iconv.encodingExists(charset) ? charset : undefined;
}

/** A document or record goes over its bound; the run ends there and says so. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
