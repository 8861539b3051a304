import type { Document } from '../../connector/source.ts';
import { type Decoder, declaredCharset, decoderOf } from './charset.ts';

/**
 * Reads until `enough` returns true or `maxCharacters` were read. Returns the beginning without
 * leading blanks, and the document from its start. Throws Undecodable.
 */
export async function readHead(
  document: Document,
  enough: (head: string) => boolean,
  maxCharacters: number,
): Promise<{ readonly head: string; readonly document: Document }> {
  const bytes = document.body[Symbol.asyncIterator]();
  let decoder: Decoder | undefined;
  const read: Uint8Array[] = [];
  let head = '';
  let characters = 0;
  let judged = 0;
  while (characters < maxCharacters) {
    // Calling `enough` for each small piece would take quadratic time.
    if (head.length >= judged * 2) {
      if (enough(head)) break;
      judged = head.length;
    }
    const next = await bytes.next();
    if (next.done) break;
    read.push(next.value);
    // Only ASCII distinguishes the formats. Invalid bytes are refused when the document is read.
    decoder ??= decoderOf(declaredCharset(next.value, document.contentType) ?? 'utf-8');
    const piece = decoder.decode(next.value, { stream: true });
    characters += piece.length;
    head += head === '' ? piece.trimStart() : piece;
  }
  return { head, document: { ...document, body: replay(read, bytes) } };
}

async function* replay(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
