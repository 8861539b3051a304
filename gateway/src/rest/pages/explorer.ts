import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { registerSampleKeys } from './sample-keys.ts';

const BUILT = fileURLToPath(new URL('../../../explorer/dist/', import.meta.url));

/** Only this origin, and only files of the build. */
const EXPLORER_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

/** One page, which does its own routing. */
const SCREENS = [
  '/explore',
  '/explore/',
  '/explore/look-up',
  '/explore/saved',
  '/explore/companies/:id',
  '/explore/observations/:id',
  '/explore/operations',
  '/explore/operations/:id',
  '/explore/usage',
];

/** Throws when it is not built. */
export function registerExplorer(app: FastifyInstance, config: Config): void {
  if (!existsSync(`${BUILT}index.html`))
    throw new Error('The explorer is not built: run node deploy/local/bin/run.mjs prepare.');
  registerSampleKeys(app, config);
  app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', EXPLORER_CSP);
    });
    pages.register(staticFiles, {
      root: `${BUILT}assets/`,
      prefix: '/explore/assets/',
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: ['**/*.{br,gz}'],
      cacheControl: false,
      setHeaders: (reply, file) => void reply.header('cache-control', isPage(file) ? 'no-cache' : IMMUTABLE_CACHE),
    });
    for (const screen of SCREENS)
      pages.get(screen, { exposeHeadRoute: true }, (_request, reply) =>
        reply.sendFile('index.html', BUILT, { cacheControl: false }),
      );
    // An unknown screen gets the page with 404; a missing file gets the Error body.
    pages.get('/explore/*', (request, reply) =>
      request.url.startsWith('/explore/assets/')
        ? reply.callNotFound()
        : reply.code(404).sendFile('index.html', BUILT, { cacheControl: false }),
    );
  });
}

function isPage(file: string): boolean {
  return /\.html(?:\.(?:br|gz))?$/.test(file);
}
