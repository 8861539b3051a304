import { createPeers } from '../src/peers.ts';
import { buildOpenApiDocument } from '../src/rest/openapi/document.ts';
import { apiRoutes } from '../src/rest/routes.ts';
import { testConfig } from './gateway.ts';

/** Builds the OpenAPI document with default settings, without a server or peers. */
export function buildDocument(): ReturnType<typeof buildOpenApiDocument> {
  const config = testConfig('http://peers.invalid');
  return buildOpenApiDocument(apiRoutes(createPeers(config)), config);
}
