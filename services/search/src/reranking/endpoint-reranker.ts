import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Endpoint, EndpointFailure } from '../endpoint/endpoint.ts';
import { postJson } from '../endpoint/post-json.ts';
import type { Reranker } from './reranker.ts';

/** Ignores other fields of the answer, such as repeated texts. */
const Answer = Type.Object({
  results: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), relevance_score: Type.Number() })),
});
const answer = Compile(Answer);

/** Many endpoints repeat the texts: a UTF-16 unit takes up to 6 bytes in JSON. */
const RESULT_BYTES = 1024;
const CODE_UNIT_BYTES = 6;
/** Bounds the scores, so that differences between them stay finite. */
const SCORE = 1e9;

/** Calls `POST /rerank` in the form that Cohere, Jina and vLLM serve. */
export function createEndpointReranker(endpoint: Endpoint): Reranker {
  return {
    async rerank(query, texts, signal) {
      const request = { model: endpoint.model, query, documents: texts, top_n: texts.length };
      const bytes = texts.reduce((sum, text) => sum + RESULT_BYTES + text.length * CODE_UNIT_BYTES, RESULT_BYTES);
      return readScores(await postJson(endpoint, '/rerank', request, { bytes, signal }), texts.length);
    },
  };
}

function readScores(body: string, count: number): number[] {
  const { results } = parsed(body);
  const byIndex = new Map(results.map(({ index, relevance_score: score }) => [index, score]));
  const scores = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter((score) => score !== undefined);
  if (results.length !== count || scores.length !== count)
    throw new EndpointFailure('its answer does not hold one score for each text');
  if (!scores.every((score) => Math.abs(score) <= SCORE)) throw new EndpointFailure('its scores are beyond any scale');
  return scores;
}

function parsed(body: string): Static<typeof Answer> {
  try {
    const value: unknown = JSON.parse(body);
    if (answer.Check(value)) return value;
  } catch {
    throw new EndpointFailure('its answer is not JSON');
  }
  throw new EndpointFailure('its answer is no list of scores');
}
