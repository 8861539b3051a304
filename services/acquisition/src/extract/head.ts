import type { Document } from '../sources/source.ts';

/**
 * The beginning of a document, read until it is `enough` or `maxCharacters` long, and the document still to be read from
 * there: for formats that only their beginning distinguishes.
 */
export async function readHead(
  document: Document,
  enough: (head: string) => boolean,
  maxCharacters: number,
): Promise<{ readonly head: string; readonly document: Document }> {
  const bytes = document.body[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const read: Uint8Array[] = [];
  let head = '';
  while (head.length < maxCharacters && !enough(head)) {
    const next = await bytes.next();
    if (next.done) break;
    read.push(next.value);
    head = (head + decoder.decode(next.value, { stream: true })).trimStart();
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
