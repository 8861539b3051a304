import { XMLParser } from 'fast-xml-parser';
import { refuse } from '../sources/refuse.ts';
import { Members } from './members.ts';

/**
 * A small XML document as members: attributes as `@name`, mixed text as `#text`, namespaces kept (`dc:date`), everything
 * text. `lists` names the elements that may repeat. A DOCTYPE is refused, so that no entity is ever expanded.
 */
export function readXml(text: string, lists: readonly string[] = []): Members {
  if (/<!DOCTYPE/i.test(text)) refuse('document', 'declares a DOCTYPE');
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

function parse(parser: XMLParser, text: string): Record<string, unknown> {
  try {
    return parser.parse(text, true);
  } catch {
    return refuse('document', 'is no well-formed XML');
  }
}
