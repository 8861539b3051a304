import type { FastifyInstance } from 'fastify';
import { FACTS } from '../../schema/facts.ts';
import { escapeHtml, htmlPage, link, sendPage } from './html.ts';

const NAME = 'Company Evidence Search';
const DESCRIPTION =
  'Dated, evidence-backed observations about the activities of companies in Canada and the United States: search companies, look known ones up, poll background work, read the shared allowance.';
const ADDRESSES = { documentation: '/docs', openapi: '/openapi.json', sources: '/sources' };

/** What this is and where to go. */
export function registerIndex(app: FastifyInstance): void {
  const json = {
    name: NAME,
    version: '1.0.0',
    description: DESCRIPTION,
    facts: FACTS,
    authentication: 'Authorization: Bearer <ACCESS_TOKEN> on everything under /api and /mcp',
    mcp: '/mcp',
    ...ADDRESSES,
  };
  app.get('/', { exposeHeadRoute: true }, (request, reply) => sendPage(request, reply, json, page));
}

function page(): string {
  const links = Object.entries(ADDRESSES).map(([name, url]) => `<li>${link(url, name)}</li>`);
  const facts = FACTS.map((fact) => `<li>${escapeHtml(fact)}</li>`);
  return htmlPage(NAME, `<p>${escapeHtml(DESCRIPTION)}</p><ul>${links.join('')}</ul><ul>${facts.join('')}</ul>`);
}
