import Markdown, { type MarkdownIt } from 'markdown-it';
import { escapeHtml } from '../html.ts';

const renderer = createRenderer();

/**
 * Renders a guide as HTML. Headings have anchors, tables and code scroll by keyboard, and links to
 * guides lead to their pages.
 */
export function renderMarkdown(markdown: string): string {
  return renderer.render(markdown);
}

export function renderLine(markdown: string): string {
  return renderer.renderInline(markdown);
}

export function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1');
}

/** Makes the same anchors as GitHub, so that a link works in both places. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function createRenderer(): MarkdownIt {
  const markdown = new Markdown({ html: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index, options, _env, self) => {
    const [token, inline] = [tokens[index], tokens[index + 1]];
    token?.attrSet('id', slugOf(inline?.content ?? ''));
    return self.renderToken(tokens, index, options);
  };
  rules.link_open = (tokens, index, options, _env, self) => {
    const href = tokens[index]?.attrGet('href');
    tokens[index]?.attrSet('href', String(href).replace(/^(\/docs\/[a-z-]+)\.md(?=#|$)/, '$1'));
    return self.renderToken(tokens, index, options);
  };
  rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => codeBlock(tokens[index]?.info ?? '', tokens[index]?.content ?? '');
  return markdown;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  jsonc: 'JSON',
  ts: 'TypeScript',
  go: 'Go',
  python: 'Python',
  text: 'Text',
};

/** `info` has the language and a directive for the tests of the guides. */
function codeBlock(info: string, content: string): string {
  const [language = '', use = ''] = info.trim().split(/\s+/);
  const label = use === 'output' ? 'Prints' : (LANGUAGES[language] ?? language);
  return `<figure class="code${use === 'output' ? ' output' : ''}"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"><code>${escapeHtml(content)}</code></pre></figure>\n`;
}
