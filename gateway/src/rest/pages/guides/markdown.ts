import Markdown, { type MarkdownIt, type Token } from 'markdown-it';
import { escapeHtml } from '../html.ts';

const renderer = createRenderer();

/** Anchored headings, tables and code that scroll by keyboard, links to served pages. */
export function renderMarkdown(markdown: string): string {
  return renderer.render(markdown);
}

export function renderLine(markdown: string): string {
  return renderer.renderInline(markdown);
}

export function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1');
}

/** Leaves out Markdown, links and line breaks. */
export function plainText(markdown: string): string {
  return withoutLinks(markdown)
    .replace(/^```.*$/gm, '')
    .replace(/^ *[|-]+$|[`*|#]+|^[-\d.]+ /gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** GitHub's anchors, so that a link works in both places. */
export function slugOf(heading: string): string {
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
  rules.fence = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    const isTab = useOf(info) === 'tab';
    const [opens, closes] = [!isTab && isTabAt(tokens, index + 1), isTab && !isTabAt(tokens, index + 1)];
    return `${opens ? '<div class="examples">' : ''}${codeBlock(info, content, isTab || opens)}${closes ? '</div>\n' : ''}`;
  };
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

/** `info` has the language and a directive for tests. A `tab` repeats an example in another one. */
function codeBlock(info: string, content: string, isOfTabs: boolean): string {
  const [language = ''] = info.trim().split(/\s+/);
  const isOutput = useOf(info) === 'output';
  const label = isOutput ? 'Prints' : isOfTabs && language === 'sh' ? 'curl' : (LANGUAGES[language] ?? language);
  const name = isOfTabs ? ` data-language="${escapeHtml(language)}"` : '';
  return `<figure class="code${isOutput ? ' output' : ''}"${name}><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"><code>${escapeHtml(content)}</code></pre></figure>\n`;
}

function useOf(info: string): string {
  return (info.trim().split(/\s+/)[1] ?? '').replace(/:$/, '');
}

function isTabAt(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return token?.type === 'fence' && useOf(token.info) === 'tab';
}
