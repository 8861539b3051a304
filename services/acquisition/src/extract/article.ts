import { createRequire } from 'node:module';
import { Readability } from '@mozilla/readability';
import { htmlToText, ShallowParser } from './html.ts';

/** The parser of documents that comes with the extractor: no scripts, no styles, no requests. The package types only its entry. */
const JSDOMParser: new () => { parse(html: string, uri: string): Document } = createRequire(import.meta.url)(
  '@mozilla/readability/JSDOMParser.js',
);
type Document = ConstructorParameters<typeof Readability>[0];

/** Bounds of a page, beyond which nothing more of it is read: UTF-16 units, elements, and elements inside each other. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
const MOST_ELEMENTS = 4_000;
const MOST_LEVELS = 60;
const MOST_CHARACTERS_KEPT = 200_000;
const DROPPED: ReadonlySet<string> = new Set(
  'head script style noscript template iframe object embed svg math canvas form input button select textarea audio video picture img nav footer aside dialog'.split(
    ' ',
  ),
);
const VOID: ReadonlySet<string> = new Set('area base br col hr link meta param source track wbr'.split(' '));
/** What the extractor reads of an element to tell an article from what stands around it. */
const READ_ATTRIBUTES = ['id', 'class'];

/** The text of the article on a page, without what stands around it; empty where there is none. Nothing is fetched or run. */
export function articleText(html: string): string {
  const body = wellFormed(html.slice(0, MOST_CHARACTERS));
  const page = `<html><head><title>-</title></head><body>${body}</body></html>`;
  const document = new JSDOMParser().parse(page, 'https://page.invalid/');
  const article = new Readability(document, { disableJSONLD: true, charThreshold: 200 }).parse();
  return htmlToText(article?.content ?? '');
}

type Kept = 'kept' | 'dropped' | 'passed over';

/** The page as well-formed elements of bounded number and depth, since the extractor walks them again and again. */
function wellFormed(html: string): string {
  const out: string[] = [];
  const open: Kept[] = [];
  let dropped = 0;
  let levels = 0;
  let elements = 0;
  let characters = 0;
  const parser: ShallowParser = new ShallowParser({
    onopentag(name, attributes) {
      if (VOID.has(name)) {
        if (name === 'br' && dropped === 0) out.push('\n');
        return void open.push('passed over');
      }
      if (DROPPED.has(name)) {
        dropped += 1;
        return void open.push('dropped');
      }
      if (dropped > 0 || levels >= MOST_LEVELS || elements >= MOST_ELEMENTS || !/^[a-z][a-z0-9]{0,15}$/.test(name))
        return void open.push('passed over');
      levels += 1;
      elements += 1;
      open.push('kept');
      out.push(`<${name}${READ_ATTRIBUTES.map((each) => written(each, attributes[each])).join('')}>`);
    },
    ontext(text) {
      if (dropped > 0 || characters >= MOST_CHARACTERS_KEPT) return;
      characters += text.length;
      out.push(text.replace(/[&<>]/g, (each) => ESCAPED[each] ?? ''));
    },
    onclosetag(name) {
      const last = open.pop();
      if (last === 'dropped') dropped -= 1;
      if (last !== 'kept') return;
      levels -= 1;
      out.push(`</${name}>`);
    },
  });
  parser.end(html);
  return out.join('');
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function written(name: string, value: string | undefined): string {
  return value ? ` ${name}="${value.slice(0, 200).replace(/[^\w -]/g, ' ')}"` : '';
}
