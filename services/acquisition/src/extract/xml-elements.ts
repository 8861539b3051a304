import { type Document, MAX_RECORD_BYTES } from '../sources/source.ts';
import { decoded, TooLarge } from './text.ts';

/**
 * The texts of all elements of a name, as it is written with its prefix, from a document of any size as it streams by. An element
 * that does not end within the bound of a record ends the document; elements of the same name inside each other are not told apart.
 */
export async function* readXmlElements(document: Document, name: string): AsyncGenerator<string> {
  const end = `</${name}>`;
  let text = '';
  for await (const piece of decoded(document)) {
    // What was searched before is not searched again, but for a tag that a piece cut in two.
    let searched = Math.max(0, text.length - end.length);
    text += piece;
    let start = startOf(text, name);
    while (start >= 0) {
      const at = text.indexOf(end, Math.max(start, searched));
      if (at < 0) break;
      yield text.slice(start, at + end.length);
      text = text.slice(at + end.length);
      searched = 0;
      start = startOf(text, name);
    }
    text = text.slice(start < 0 ? -(name.length + 2) : start);
    if (text.length > MAX_RECORD_BYTES)
      throw new TooLarge(`an element ${name} is larger than ${MAX_RECORD_BYTES} bytes`);
  }
}

/** Where the first tag begins that opens such an element; -1: nowhere. `<lei:LEIRecords>` opens no `lei:LEIRecord`. */
function startOf(text: string, name: string): number {
  const tag = `<${name}`;
  for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + 1)) {
    const next = text.charAt(at + tag.length);
    if (next === '>' || next.trim() === '') return at;
  }
  return -1;
}
