import { createPeers } from '../src/peers.ts';
import { buildOpenApiDocument } from '../src/rest/openapi/document.ts';
import { apiRoutes } from '../src/rest/routes.ts';
import { testConfig } from './gateway.ts';

/** The OpenAPI document of this tree, with default settings; nothing is started and nobody called. */
export function buildDocument(): ReturnType<typeof buildOpenApiDocument> {
  const config = testConfig('http://peers.invalid');
  return buildOpenApiDocument(apiRoutes(createPeers(config)), config);
}
