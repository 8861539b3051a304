import type { FastifyInstance } from 'fastify';
import { styleSheets } from './assets.ts';
import { escapeHtml, link } from './html.ts';
import { sendPageOrJson } from './send-page.ts';
import { shell } from './shell.ts';
import type { Source } from './sources.ts';

const DESCRIPTION = 'Licence and attribution of every source behind an answer.';

/** Licence and attribution of every source; every result links here. */
export function registerSources(app: FastifyInstance, findSources: () => Promise<readonly Source[]>): void {
  app.get('/sources', { exposeHeadRoute: true }, async (request, reply) => {
    const sources = await findSources();
    return sendPageOrJson(request, reply, { sources }, () => page(sources));
  });
}

function page(sources: readonly Source[]): string {
  return shell({
    title: 'Sources',
    description: DESCRIPTION,
    section: '/sources',
    head: styleSheets('sources.css'),
    body: `<h1>Sources</h1>
<p class="lead">Every quote links to where it was published. These are the sources behind the quotes, and the terms on which each may be used.
Programs get the same list as JSON.</p>
<ul class="sources">${sources.map(entry).join('')}</ul>`,
  });
}

function entry({ name, publisher, url, licence, licence_url, attribution }: Source): string {
  const title = url === undefined ? escapeHtml(name) : link(url, name);
  const terms = licence_url === undefined ? escapeHtml(licence) : link(licence_url, licence);
  return `<li><h2>${title}</h2><p>${escapeHtml(publisher)}</p>
<dl><div><dt>Licence</dt><dd>${terms}</dd></div><div><dt>Attribution</dt><dd>${escapeHtml(attribution)}</dd></div></dl></li>`;
}
