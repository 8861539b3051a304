import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { styleSheets } from './assets.ts';
import { renderMarkdown } from './guides/markdown.ts';
import { link } from './html.ts';
import { serveDocsPage } from './send-page.ts';
import { shell } from './shell.ts';

const FOLDER = new URL('../../../../deploy/runbooks/', import.meta.url);
const INDEX = 'README';

/** Serves the default `runbook_url` of alerts. No page for subscribers links here. */
export function registerRunbooks(app: FastifyInstance): void {
  serveDocsPage(app, '/runbooks', () => runbookPage(INDEX));
  for (const name of readRunbookNames()) serveDocsPage(app, `/runbooks/${name}`, () => runbookPage(name));
}

function readRunbookNames(): readonly string[] {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''));
  return names.filter((name) => name !== INDEX);
}

function runbookPage(name: string): string {
  const markdown = withServedLinks(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'));
  const [, title = ''] = /^# (.+)\n/.exec(markdown) ?? [];
  return shell({
    title,
    description: 'What operators do about an alert.',
    layout: 'guide',
    head: styleSheets('guide.css'),
    body: `<article>
${renderMarkdown(markdown)}
${name === INDEX ? '' : `<p class="muted">${link('/runbooks', 'All alerts')}</p>\n`}</article>`,
  });
}

function withServedLinks(markdown: string): string {
  return markdown
    .replace(/\]\(([a-z-]+)\.md\)/g, '](/runbooks/$1)')
    .replace(/\[[^\]]+\]\(\.\.\/docs\/([a-z-]+\.md)(?:#[\w-]+)?\)/g, '`deploy/docs/$1`');
}
