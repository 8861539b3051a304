import type { FastifyInstance } from 'fastify';
import { escapeHtml, htmlPage, link, sendPage } from './html.ts';
import { SOURCES, type Source } from './sources.ts';

/** Licence and attribution of every source; every result links here. */
export function registerSources(app: FastifyInstance): void {
  app.get('/sources', { exposeHeadRoute: true }, (request, reply) =>
    sendPage(request, reply, { sources: SOURCES }, page),
  );
}

function page(): string {
  return htmlPage('Sources', `<dl>${SOURCES.map(entry).join('')}</dl>`);
}

function entry({ name, publisher, url, licence, licence_url, attribution }: Source): string {
  const title = url === undefined ? escapeHtml(name) : link(url, name);
  const terms = licence_url === undefined ? escapeHtml(licence) : link(licence_url, licence);
  return `<dt>${title}</dt><dd>${escapeHtml(publisher)}. ${terms}. ${escapeHtml(attribution)}</dd>`;
}
