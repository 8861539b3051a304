import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify from 'fastify';
import { hashedUrl } from '../assets.ts';
import { etagOf } from '../send-page.ts';

export interface ReferenceScript {
  readonly url: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

/** The package exposes the script only by a route. It has four million characters. */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  app.register(reference, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload: bytes, statusCode } = await app.inject('/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`the script of the reference: ${statusCode}`);
  return {
    url: hashedUrl('reference/scalar.js', bytes),
    etag: etagOf(bytes),
    bytes,
    gzip: await promisify(gzip)(bytes),
  };
}
