import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { buildOpenApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { registerDocs } from './docs.ts';
import { registerExplorer } from './explorer.ts';
import { registerIndex } from './index-page.ts';
import type { Source } from './sources.ts';
import { registerSources } from './sources-page.ts';

export interface PagesParts {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly findSources: () => Promise<readonly Source[]>;
}

/** What needs no credential: what the service is, its sources, its document. */
export function registerPages(app: FastifyInstance, { config, routes, findSources }: PagesParts): void {
  registerIndex(app);
  registerExplorer(app, config);
  registerSources(app, findSources);
  registerDocs(app, buildOpenApiDocument(routes, config));
}
