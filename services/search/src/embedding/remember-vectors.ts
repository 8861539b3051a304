import { createHash } from 'node:crypto';
import { EndpointFailure } from '../endpoint/endpoint-failure.ts';
import type { Embedder } from './embedder.ts';

/** Vectors that are kept at most, the last used. */
const KEPT = 20_000;

/** An embedder that asks for a text once; a text that changes is another text. */
export function cacheVectors(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  const keep = (key: string, vector: Float32Array) => {
    known.delete(key);
    known.set(key, vector);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  };
  return {
    async embed(texts, signal) {
      const keys = texts.map((text) => createHash('sha256').update(text).digest('base64'));
      const found = new Map(keys.flatMap((key) => [[key, known.get(key)] as const]));
      const missing = new Map(keys.flatMap((key, at) => (found.get(key) ? [] : [[key, texts[at] ?? '']])));
      const asked = missing.size > 0 ? await embedder.embed([...missing.values()], signal) : [];
      for (const [at, key] of [...missing.keys()].entries()) found.set(key, asked[at]);
      const vectors = keys.map((key) => found.get(key) ?? new Float32Array());
      if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
        known.clear();
        throw new EndpointFailure('its vectors are of another length than before');
      }
      for (const [at, key] of keys.entries()) keep(key, vectors[at] ?? new Float32Array());
      return vectors;
    },
  };
}
