import { Parser } from 'htmlparser2';

const SILENT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'iframe',
  'object',
  'svg',
  // Inline XBRL keeps its machine-readable facts there, hidden.
  'ix:header',
]);
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);

/** The visible text of HTML: entities decoded, scripts and styles gone, one line a block, white space collapsed. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let silent = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SILENT.has(name)) silent += 1;
        if (BLOCKS.has(name)) parts.push('\n');
      },
      ontext(text) {
        if (silent === 0) parts.push(text.replace(/\s+/g, ' '));
      },
      onclosetag(name) {
        if (SILENT.has(name)) silent = Math.max(0, silent - 1);
        if (BLOCKS.has(name)) parts.push('\n');
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return tidyText(parts.join(''));
}

/** Any text as it is quoted: no control characters, single blanks, single line ends, trimmed. */
export function tidyText(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u2028-\u202e\u2060\ufeff]/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
