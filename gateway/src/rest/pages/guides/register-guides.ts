import type { FastifyInstance } from 'fastify';
import { styleSheets } from '../assets.ts';
import { escapeHtml, link } from '../html.ts';
import { serveContent, servePage } from '../send-page.ts';
import { shell } from '../shell.ts';
import type { Guide } from './guide.ts';
import { renderLine, renderMarkdown, withoutLinks } from './markdown.ts';

export function registerGuides(app: FastifyInstance, guides: readonly Guide[]): void {
  for (const url of ['/docs', '/docs/']) servePage(app, url, () => indexPage(guides));
  for (const guide of guides) {
    servePage(app, `/docs/${guide.name}`, () => guidePage(guide, guides));
    serveContent(app, `/docs/${guide.name}.md`, { type: 'text/markdown; charset=utf-8', text: guide.markdown });
  }
}

const REFERENCE =
  '<li><a class="filled" href="/docs/reference"><strong>Reference</strong><span>Every route, field, bound and error code, made from the schemas that check the calls. Try calls from the page.</span></a></li>';

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
    head: styleSheets('guide.css'),
    body: `<h1>Docs</h1>
<p class="lead">Short guides, each at most two screens. Tests run their commands against a real service and compare what is printed.</p>
${sections.join('\n')}
<p class="muted">For agents: ${link('/llms.txt', 'llms.txt')} lists these guides as Markdown, ${link('/llms-full.txt', 'llms-full.txt')} is all of them in one text.</p>`,
  });
}

function card({ name, title, summary }: Guide): string {
  const [firstSentence = summary] = summary.split(/(?<=\.) /);
  return `<li><a href="/docs/${name}"><strong>${escapeHtml(title)}</strong><span>${renderLine(withoutLinks(firstSentence))}</span></a></li>`;
}

function guidePage({ name, title, summary, markdown }: Guide, guides: readonly Guide[]): string {
  const position = guides.findIndex((guide) => guide.name === name);
  const item = (guide: Guide) =>
    `<li><a href="/docs/${guide.name}"${guide.name === name ? ' aria-current="page"' : ''}>${escapeHtml(guide.title)}</a></li>`;
  return shell({
    title,
    description: withoutLinks(summary).replaceAll('`', ''),
    section: '/docs',
    layout: 'guide',
    head: `${styleSheets('guide.css')}<link rel="alternate" type="text/markdown" href="/docs/${name}.md">\n`,
    body: `<article>
${renderMarkdown(markdown)}
<p class="muted">${link(`/docs/${name}.md`, 'This page as Markdown')}</p>
${nextLink(guides[position + 1])}
</article>
<nav class="toc" aria-label="Guides"><ul>${guides.map(item).join('')}<li>${link('/docs/reference', 'Reference')}</li></ul></nav>`,
  });
}

function nextLink(guide: Guide | undefined): string {
  const [url, title] = guide ? [`/docs/${guide.name}`, guide.title] : ['/docs/reference', 'Reference'];
  return `<p class="next"><a href="${url}"><span>Next</span>${escapeHtml(title)}</a></p>`;
}
