import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { registerDocs } from './docs.ts';
import { registerIndex } from './index-page.ts';
import type { Source } from './sources.ts';
import { registerSources } from './sources-page.ts';

/** What needs no credential (decisions.md, Order of checks, 7). */
export function registerPublicPages(
  app: FastifyInstance,
  routes: readonly Route[],
  config: Config,
  findSources: () => Promise<readonly Source[]>,
): void {
  registerIndex(app);
  registerSources(app, findSources);
  registerDocs(app, openApiDocument(routes, config));
}
