import { type Handler, Parser } from 'htmlparser2';

const SILENT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'iframe',
  'object',
  'svg',
  // Inline XBRL keeps its hidden, machine-readable facts here.
  'ix:header',
]);
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);

/** Browsers nest at most this deep. An element that opens deeper gets no content. */
const MOST_ELEMENTS = 512;

/** The parser searches all open elements for each end tag: quadratic time. */
class ShallowParser extends Parser {
  #open = 0;
  #isEnd = false;
  isTooDeep = false;

  constructor(handler: Partial<Handler>) {
    const counting: Partial<Handler> = {
      ...handler,
      onopentagname: (name) => {
        this.#open += 1;
        handler.onopentagname?.(name);
      },
      onclosetag: (name, isImplied) => {
        this.#open -= 1;
        handler.onclosetag?.(name, isImplied);
      },
    };
    super(counting, { decodeEntities: true });
  }

  override onclosetag(start: number, end: number): void {
    this.#isEnd = true;
    super.onclosetag(start, end);
    this.#isEnd = false;
  }

  override onopentagname(start: number, end: number): void {
    this.isTooDeep = this.#open >= MOST_ELEMENTS;
    super.onopentagname(start, end);
  }

  protected override isVoidElement(name: string): boolean {
    return super.isVoidElement(name) || (!this.#isEnd && name !== '' && this.isTooDeep);
  }
}

/** Leaves out scripts and styles: one line a block, white space collapsed. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let silent = 0;
  const parser: ShallowParser = new ShallowParser({
    onopentagname(name) {
      // The end tag of an element that is too deep is not reported, so the rest stays silent.
      if (SILENT.has(name)) silent += parser.isTooDeep ? Number.POSITIVE_INFINITY : 1;
      if (BLOCKS.has(name)) parts.push('\n');
    },
    ontext(text) {
      if (silent === 0) parts.push(text.replace(/\s+/g, ' '));
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent = Math.max(0, silent - 1);
      if (BLOCKS.has(name)) parts.push('\n');
    },
  });
  parser.end(html);
  return tidyText(parts.join(''));
}

export function tidyText(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u2028-\u202e\u2060\ufeff]/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
