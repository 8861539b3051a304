import type { FastifyInstance } from 'fastify';
import { escapeHtml, htmlPage, link, sendPage } from './html.ts';
import type { Source } from './sources.ts';

/** Licence and attribution of every source; every result links here. */
export function registerSources(app: FastifyInstance, findSources: () => Promise<readonly Source[]>): void {
  app.get('/sources', { exposeHeadRoute: true }, async (request, reply) => {
    const sources = await findSources();
    return sendPage(request, reply, { sources }, () => page(sources));
  });
}

function page(sources: readonly Source[]): string {
  return htmlPage('Sources', `<dl>${sources.map(entry).join('')}</dl>`);
}

function entry({ name, publisher, url, licence, licence_url, attribution }: Source): string {
  const title = url === undefined ? escapeHtml(name) : link(url, name);
  const terms = licence_url === undefined ? escapeHtml(licence) : link(licence_url, licence);
  return `<dt>${title}</dt><dd>${escapeHtml(publisher)}. ${terms}. ${escapeHtml(attribution)}</dd>`;
}
