import type { FastifyInstance } from 'fastify';
import { appendListHeader } from '../../http/answer-headers.ts';
import { link } from './html.ts';
import { asPage, wantsPage } from './send-page.ts';
import { shell } from './shell.ts';

/** Errors are JSON, whatever Accept says. */
const FOR_PROGRAMS = /^\/(?:api|mcp)(?:[/?#]|$)/;

export function registerNotFoundPage(app: FastifyInstance): void {
  const page = notFoundPage();
  app.addHook('onSend', async (request, reply, payload) => {
    const nowhere = reply.statusCode === 404 && request.routeOptions.url === undefined;
    if (!nowhere || FOR_PROGRAMS.test(request.url)) return payload;
    appendListHeader(reply, 'vary', 'Accept');
    if (!wantsPage(request)) return payload;
    asPage(reply);
    return page;
  });
}

function notFoundPage(): string {
  return shell({
    title: 'There is nothing at this address',
    description: 'This address leads nowhere.',
    body: `<h1>There is nothing at this address</h1>
<p class="lead">What you look for may be among the ${link('/docs', 'guides')} or in the ${link('/docs/reference', 'reference')}; to search companies, open the ${link('/explore', 'explorer')}.</p>`,
  });
}
