import { XMLParser } from 'fast-xml-parser';
import { Tokenizer } from 'htmlparser2';
import { refuse } from '../../connector/refuse.ts';
import { Members } from './members.ts';

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
