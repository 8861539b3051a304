import type { Document } from '../sources/source.ts';
import { type Decoder, declaredCharset, decoderOf } from './charset.ts';

/**
 * The beginning of a document without leading blanks, read until it is `enough` or `maxCharacters` were read, and the document still to
 * be read from there: for formats that only their beginning distinguishes. Throws Undecodable.
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
    // Judged again when it is twice as long: judging it with each of many small pieces would read it as often.
    if (head.length >= judged * 2) {
      if (enough(head)) break;
      judged = head.length;
    }
    const next = await bytes.next();
    if (next.done) break;
    read.push(next.value);
    // Only its ASCII distinguishes formats: the document is judged by its bytes when it is read.
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
