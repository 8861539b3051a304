import type { Queryable } from '@ces/chassis/postgres/pool';
import { cosine, weighByLikeness } from '../ranking/fuse.ts';
import type { CompanyScorer } from '../reranking/reorder-by-scores.ts';
import type { Embedder } from './embedder.ts';
import { quantise } from './observation-vector.ts';
import { readVectors } from './vector-table.ts';

/** Code units of a query that are read. */
const QUERY = 2000;

/** Scores a company by the likeness of the query to what it shows that is most like it, -1..1, and orders all that were found. */
export function scoreByVectors(db: Queryable, embedder: Embedder, weight: number): CompanyScorer {
  return {
    name: 'the embedder',
    counter: {
      name: 'ces.search.vector_rankings',
      description: 'Searches that vectors were to order, by what came of it; all but reordered were left to words.',
    },
    companies: Number.POSITIVE_INFINITY,
    combine: (byWords, likenesses) => weighByLikeness(byWords, likenesses, weight),
    async score(query, companies, signal) {
      const ids = companies.flatMap(({ hits }) => hits.map(({ observationId }) => observationId));
      const [vectors, [embedded = new Float32Array()]] = await Promise.all([
        readVectors(db, ids, embedder.model),
        embedder.embed([query.slice(0, QUERY).toWellFormed()], 'query', signal),
      ]);
      const asked = quantise(embedded);
      return companies.map(({ hits }) => {
        const likenesses = hits.flatMap(({ observationId }) => {
          const vector = vectors.get(observationId);
          return vector?.length === asked.length ? [cosine(asked, vector)] : [];
        });
        return likenesses.length > 0 ? Math.max(...likenesses) : undefined;
      });
    },
  };
}
