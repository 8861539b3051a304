import type { FastifyInstance } from 'fastify';
import { assetUrl, IMMUTABLE_CACHE, styleSheets } from '../assets.ts';
import { sendTagged } from '../send-page.ts';
import { shell } from '../shell.ts';
import { loadReferenceScript, type ReferenceScript } from './reference-script.ts';

/** The library inserts inline styles, hence 'unsafe-inline'. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerReference(app: FastifyInstance): void {
  let loading: Promise<ReferenceScript> | undefined;
  const load = () => {
    loading ??= loadReferenceScript();
    return loading;
  };
  app.get('/docs/reference', { exposeHeadRoute: true }, async (_request, reply) => {
    const { url } = await load();
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'public, max-age=300' });
    return reply.type('text/html; charset=utf-8').send(page(url));
  });
  app.get<{ Params: { file: string } }>(
    '/assets/reference/:file',
    { exposeHeadRoute: true },
    async (request, reply) => {
      const script = await load();
      if (!script.url.endsWith(`/${request.params.file}`)) return reply.callNotFound();
      const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      reply.header('vary', 'Accept-Encoding').type('text/javascript; charset=utf-8');
      if (zipped) reply.header('content-encoding', 'gzip');
      const etag = zipped ? script.etag.replace(/"$/, '-gzip"') : script.etag;
      return sendTagged(request, reply, {
        etag,
        cacheControl: IMMUTABLE_CACHE,
        bytes: zipped ? script.gzip : script.bytes,
      });
    },
  );
}

function page(scriptUrl: string): string {
  return shell({
    title: 'Reference',
    description: 'Every route, field, bound and error code of the interface.',
    section: '/docs/reference',
    ownMain: true,
    head: `${styleSheets('reference.css')}<script src="${assetUrl('reference-settings.js')}" defer></script>
<script src="${scriptUrl}" defer></script>
`,
    body: `<noscript><main><h1>Reference</h1><p>This page is drawn by a script. Without one, read <a href="/openapi.json">the OpenAPI document</a>
or <a href="/docs/contract">what you can rely on</a>.</p></main></noscript>
<div id="reference"></div>`,
  });
}
