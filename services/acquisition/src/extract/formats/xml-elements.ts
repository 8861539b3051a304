import { type Document, MAX_RECORD_BYTES } from '../../connector/source.ts';
import { TooLarge } from '../../connector/unreadable.ts';
import { decoded } from './text.ts';

/**
 * Streams elements of a qualified name from a document of any size; nested ones of the same name
 * are not supported. Throws TooLarge beyond the bound of a record.
 */
export async function* readXmlElements(document: Document, name: string): AsyncGenerator<string> {
  const end = `</${name}>`;
  let text = '';
  let isOpen = false;
  let tail = '';
  for await (const piece of decoded(document)) {
    const seam = tail + piece;
    text += piece;
    // Searching `text` would copy all of it for each piece of an open element.
    if (!isOpen || seam.includes(end)) {
      let start = startOf(text, name);
      while (start >= 0) {
        const at = text.indexOf(end, start);
        if (at < 0) break;
        yield text.slice(start, at + end.length);
        text = text.slice(at + end.length);
        start = startOf(text, name);
      }
      isOpen = start >= 0;
      text = text.slice(isOpen ? start : -(name.length + 2));
    }
    tail = seam.slice(-end.length);
    if (text.length > MAX_RECORD_BYTES)
      throw new TooLarge(`an element ${name} is larger than ${MAX_RECORD_BYTES} bytes`);
  }
}

/** Offset of the first start tag, or -1. `<lei:LEIRecords>` does not open `lei:LEIRecord`. */
function startOf(text: string, name: string): number {
  const tag = `<${name}`;
  for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + 1)) {
    const next = text.charAt(at + tag.length);
    if (next === '>' || next.trim() === '') return at;
  }
  return -1;
}
