import type { FastifyInstance } from 'fastify';
import { styleSheets } from './assets.ts';
import { escapeHtml, link } from './html.ts';
import { sendPageOrJson } from './send-page.ts';
import { shell } from './shell.ts';
import type { Source, WeekOfSource } from './sources.ts';

const DESCRIPTION = 'Licence, attribution and coverage of every source behind an answer.';

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
<p class="lead">Every quote links to where it was published. These are the sources behind the quotes, the terms on which each may be used,
and how much is here of what each published in the last seven days. Programs get the same list as JSON.</p>
<ul class="sources">${sources.map(entry).join('')}</ul>`,
  });
}

function entry(source: Source): string {
  const { name, publisher, url, licence, licence_url, attribution } = source;
  const title = url === undefined ? escapeHtml(name) : link(url, name);
  const terms = licence_url === undefined ? escapeHtml(licence) : link(licence_url, licence);
  return `<li><h2>${title}</h2><p>${escapeHtml(publisher)}</p>
<dl><div><dt>Licence</dt><dd>${terms}</dd></div><div><dt>Attribution</dt><dd>${escapeHtml(attribution)}</dd></div>${reading(source)}</dl></li>`;
}

function reading({ read_until, last_week = [] }: Source): string {
  const read =
    read_until === undefined ? '' : `<div><dt>Read until</dt><dd>${escapeHtml(minute(read_until))}</dd></div>`;
  if (last_week.length === 0) return read;
  return `${read}<div><dt>Of the last seven days</dt>${last_week.map(week).join('')}</div>`;
}

function week({ kind, country, observations, newest_event_at, median_delay_hours }: WeekOfSource): string {
  const newest = newest_event_at === null ? '' : `, the newest of ${newest_event_at.slice(0, 10)}`;
  const delay = median_delay_hours === null ? '' : `, half of them here within ${median_delay_hours} h`;
  return `<dd>${escapeHtml(`${country}, ${kind.replaceAll('_', ' ')}: ${observations}${newest}${delay}`)}</dd>`;
}

function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
