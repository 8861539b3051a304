import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import type { Embedder } from './embedder.ts';

/** Vectors that are kept at most, the last used. */
const KEPT = 20_000;

/** An embedder that asks for a text once; a text that changes is another text. */
export function cacheVectors(embedder: Embedder): Embedder {
  const cached = new LRUCache<string, Float32Array>({ max: KEPT });
  return {
    async embed(texts, signal) {
      const digests = texts.map((text) => createHash('sha256').update(text).digest('base64'));
      const found = new Map(digests.map((digest) => [digest, cached.get(digest)]));
      const missing = new Map(digests.flatMap((digest, at) => (found.get(digest) ? [] : [[digest, texts[at] ?? '']])));
      const asked = missing.size > 0 ? await embedder.embed([...missing.values()], signal) : [];
      for (const [at, digest] of [...missing.keys()].entries()) found.set(digest, asked[at]);
      const vectors = digests.map((digest) => found.get(digest) ?? new Float32Array());
      if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
        cached.clear();
        throw new EndpointFailure('its vectors are of another length than before');
      }
      for (const digest of missing.keys()) cached.set(digest, found.get(digest));
      return vectors;
    },
  };
}
