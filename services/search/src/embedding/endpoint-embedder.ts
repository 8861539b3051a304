import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Endpoint, EndpointFailure } from '../endpoint/endpoint.ts';
import { postJson } from '../endpoint/post-json.ts';
import type { Embedder } from './embedder.ts';

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      embedding: Type.Array(Type.Number(), { minItems: 1, maxItems: 8192 }),
    }),
  ),
});
const answer = Compile(Answer);

const NUMBER_BYTES = 32;
const VECTOR_BYTES = 8192 * NUMBER_BYTES;

/** Calls `POST /embeddings` of an OpenAI-compatible endpoint. */
export function createEndpointEmbedder(endpoint: Endpoint): Embedder {
  return {
    model: endpoint.model,
    async embed(texts, _purpose, signal) {
      const request = { model: endpoint.model, input: texts, encoding_format: 'float' };
      const limits = { bytes: VECTOR_BYTES * texts.length, signal };
      return readVectors(await postJson(endpoint, '/embeddings', request, limits), texts.length);
    },
  };
}

/** Accepts only one finite vector for each text, in order, all of one length. */
function readVectors(body: string, count: number): Float32Array[] {
  const { data } = parsed(body);
  const byIndex = new Map(data.map(({ index, embedding }) => [index, Float32Array.from(embedding)]));
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter(
    (vector) => vector !== undefined,
  );
  if (data.length !== count || vectors.length !== count)
    throw new EndpointFailure('its answer does not hold one vector for each text');
  const [first] = vectors;
  if (!vectors.every((vector) => vector.length === first?.length && vector.every(Number.isFinite)))
    throw new EndpointFailure('its vectors are not finite or not of one length');
  return vectors;
}

function parsed(body: string): Static<typeof Answer> {
  try {
    const value: unknown = JSON.parse(body);
    if (answer.Check(value)) return value;
  } catch {
    throw new EndpointFailure('its answer is not JSON');
  }
  throw new EndpointFailure('its answer is no list of vectors');
}
