import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config.ts';
import { styleSheets } from '../assets.ts';
import { examplesScript, filledInNote } from '../fill-in.ts';
import { escapeHtml, link } from '../html.ts';
import { serveContent, serveDocsPage } from '../send-page.ts';
import { shell } from '../shell.ts';
import type { Guide } from './guide.ts';
import { renderLine, renderMarkdown, withoutLinks } from './markdown.ts';
import { sectionsOf } from './sections.ts';

export function registerGuides(app: FastifyInstance, guides: readonly Guide[], config: Config): void {
  for (const url of ['/docs', '/docs/']) serveDocsPage(app, url, () => indexPage(guides));
  serveContent(app, '/docs/search.json', {
    type: 'application/json; charset=utf-8',
    text: () => JSON.stringify(guides.flatMap(sectionsOf)),
  });
  const hasSampleKeys = config.sampleKeysFile !== '';
  for (const guide of guides) {
    serveDocsPage(app, `/docs/${guide.name}`, () => guidePage(guide, guides, hasSampleKeys));
    serveContent(app, `/docs/${guide.name}.md`, { type: 'text/markdown; charset=utf-8', text: guide.markdown });
  }
}

const REFERENCE =
  '<li><a class="filled" href="/docs/reference"><strong>API reference</strong><span>Every route, field, bound and error code, made from the schemas that check the calls. Try calls from the page.</span></a></li>';

function indexPage(guides: readonly Guide[]): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)];
  const sections = groups.map(
    ([group, members], index) =>
      `<h2>${group}</h2>\n<ul class="cards">${members.map(card).join('')}${index === groups.length - 1 ? REFERENCE : ''}</ul>`,
  );
  return shell({
    title: 'Docs',
    description: 'Short guides to searching companies by evidence, and the reference of the interface.',
    section: '/docs',
    layout: 'docs',
    head: docsHead(),
    body: `<h1>Docs</h1>
<p class="lead">Short guides, each at most two screens. Tests run their commands against a real service and compare what is printed.</p>
${SEARCH}
${sections.join('\n')}
<p class="muted">For agents: ${link('/llms.txt', 'llms.txt')} lists these guides as Markdown, ${link('/llms-full.txt', 'llms-full.txt')} is all of them in one text.</p>`,
  });
}

function card({ name, title, summary }: Guide): string {
  const [firstSentence = summary] = summary.split(/(?<=\.) /);
  return `<li><a href="/docs/${name}"><strong>${escapeHtml(title)}</strong><span>${renderLine(withoutLinks(firstSentence))}</span></a></li>`;
}

function guidePage(
  { name, title, summary, markdown }: Guide,
  guides: readonly Guide[],
  hasSampleKeys: boolean,
): string {
  const position = guides.findIndex((guide) => guide.name === name);
  const item = (guide: Guide) =>
    `<li><a href="/docs/${guide.name}"${guide.name === name ? ' aria-current="page"' : ''}>${escapeHtml(guide.title)}</a></li>`;
  const groups = [...Map.groupBy(guides, ({ group }) => group)];
  const groupOf = ([group, members]: (typeof groups)[number], index: number) =>
    `<p class="group">${group}</p><ul>${members.map(item).join('')}${index === groups.length - 1 ? `<li>${link('/docs/reference', 'API reference')}</li>` : ''}</ul>`;
  return shell({
    title,
    description: withoutLinks(summary).replaceAll('`', ''),
    section: '/docs',
    layout: 'guide',
    head: `${docsHead()}<link rel="alternate" type="text/markdown" href="/docs/${name}.md">\n`,
    body: `<article>
${withFilledInNote(renderMarkdown(markdown), hasSampleKeys)}
<p class="muted">${link(`/docs/${name}.md`, 'This page as Markdown')}</p>
${nextLink(guides[position + 1])}
</article>
<div class="toc">
${SEARCH}
<nav aria-label="Guides">${groups.map(groupOf).join('')}</nav>
</div>`,
  });
}

/** Shown by the script that searches. */
const SEARCH =
  '<form class="docs-search" role="search" hidden><label>Search the guides <input type="search" autocomplete="off"></label><ul class="found" aria-live="polite"></ul></form>';

function docsHead(): string {
  return `${styleSheets('guide.css')}${examplesScript()}`;
}

function withFilledInNote(html: string, hasSampleKeys: boolean): string {
  return html.replace(/(?=<figure |<div class="examples">)/, filledInNote(hasSampleKeys));
}

function nextLink(guide: Guide | undefined): string {
  const [url, title] = guide ? [`/docs/${guide.name}`, guide.title] : ['/docs/reference', 'API reference'];
  return `<p class="next"><a href="${url}"><span>Next</span>${escapeHtml(title)}</a></p>`;
}
