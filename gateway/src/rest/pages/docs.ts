import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Everything comes from here: no outside request, whatever the page is made to do. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The document at /openapi.json and its page at /docs. */
export function registerDocs(app: FastifyInstance, document: object): void {
  const json = JSON.stringify(document);
  app.get('/openapi.json', { exposeHeadRoute: true }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(json),
  );
  app.register(async (docs) => {
    docs.addHook('onRoute', addHeadRoute);
    docs.register(swagger, { mode: 'static', specification: { document: document as never } });
    docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: DOCS_CSP,
      // Without the bar of the tool that draws the page.
      uiConfig: { layout: 'BaseLayout', validatorUrl: null, deepLinking: true, displayRequestDuration: true },
    });
  });
}

/** The plugin answers GET alone; what answers GET answers HEAD. */
function addHeadRoute(this: FastifyInstance, route: RouteOptions & { readonly routePath: string }): void {
  if (route.method !== 'GET') return;
  const paths = route.routePath === '' ? ['', '/'] : [route.routePath];
  for (const path of paths) this.route({ ...route, method: 'HEAD', ...{ url: path, path } });
}
