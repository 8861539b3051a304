import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { buildOpenApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { registerAssets } from './assets.ts';
import { registerExplorer } from './explorer.ts';
import { readGuides } from './guides/guide.ts';
import { registerGuides } from './guides/register-guides.ts';
import { registerHome } from './home/home-page.ts';
import { registerLlmsTexts } from './llms-texts.ts';
import { registerNotFoundPage } from './not-found-page.ts';
import { registerReference } from './reference/register-reference.ts';
import { registerRunbooks } from './runbooks.ts';
import { serveContent } from './send-page.ts';
import type { Source } from './sources.ts';
import { registerSources } from './sources-page.ts';

export interface PagesParts {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly findSources: () => Promise<readonly Source[]>;
}

export function registerPages(app: FastifyInstance, { config, routes, findSources }: PagesParts): void {
  const guides = readGuides();
  registerNotFoundPage(app);
  registerAssets(app);
  registerHome(app, config);
  registerExplorer(app, config);
  registerSources(app, findSources);
  registerGuides(app, guides, config);
  registerRunbooks(app);
  registerReference(app);
  registerLlmsTexts(app, guides, config.publicUrl ?? '');
  serveContent(app, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    text: () => JSON.stringify(buildOpenApiDocument(routes, config)),
  });
}
