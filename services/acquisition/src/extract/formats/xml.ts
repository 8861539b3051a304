import { XMLParser } from 'fast-xml-parser';
import { Tokenizer } from 'htmlparser2';
import { refuse } from '../../connector/refuse.ts';
import { type Document, MAX_RECORD_BYTES } from '../../connector/source.ts';
import { TooLarge } from '../../connector/unreadable.ts';
import { Members } from './members.ts';
import { decoded } from './text.ts';

/**
 * Attributes as `@name`, mixed text as `#text`, prefixes kept, all values text. `lists`: elements
 * that may repeat. Refuses a DOCTYPE, so that no entity is expanded.
 */
export function readXml(text: string, lists: readonly string[] = []): Members {
  if (declaresDoctype(text)) refuse('document', 'declares a DOCTYPE');
  const names = new Set(lists);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    htmlEntities: false,
    isArray: (name) => names.has(name),
  });
  return new Members(parse(parser, text));
}

export function declaresDoctype(xml: string): boolean {
  if (!DOCTYPE.test(xml)) return false;
  let isDeclared = false;
  const ondeclaration = (start: number, end: number) => {
    isDeclared ||= DOCTYPE.test(`<!${xml.slice(start, end)}`);
  };
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, { ...IGNORED, ondeclaration });
  tokenizer.write(xml);
  tokenizer.end();
  return isDeclared;
}

const DOCTYPE = /<!DOCTYPE/i;
const ignore = () => undefined;
const IGNORED = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

function parse(parser: XMLParser, text: string): Record<string, unknown> {
  try {
    return parser.parse(text, true);
  } catch {
    return refuse('document', 'is no well-formed XML');
  }
}

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
