import type { Client } from '@opensearch-project/opensearch';
import type { Scoring } from '../../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { terms as anyTerm, type Query } from '../query/query.ts';
import { scoredTerm } from '../query/scored-terms.ts';

export type Gains = ReadonlyMap<number, readonly number[]>;

export async function explainGains(
  client: Client,
  { index, field, ids }: { readonly index: string; readonly field: string; readonly ids: readonly number[] },
  terms: Scoring['own']['terms'],
  timeoutMs: number,
): Promise<Gains> {
  if (terms.length === 0 || ids.length === 0) return new Map();
  const names = alternativesOf(terms).map((_, at) => `alternative ${at}`);
  const query: Query = {
    bool: { filter: [anyTerm(field, ids)], should: namedTerms(terms) },
  };
  const { body } = await client.search(
    {
      index,
      ignore_unavailable: true,
      include_named_queries_score: true,
      search_type: 'dfs_query_then_fetch',
      body: { query, size: ids.length, docvalue_fields: [field], _source: false, stored_fields: '_none_' },
    } as never,
    { requestTimeout: timeoutMs },
  );
  const { hits } = (body as unknown as Answer).hits;
  return new Map(
    hits.map(({ fields, matched_queries: matched = {} }) => [
      Number(fields?.[field]?.[0]),
      names.map((name) => matched[name] ?? 0),
    ]),
  );
}

interface Answer {
  readonly hits: {
    readonly hits: readonly {
      readonly fields?: Readonly<Record<string, readonly number[]>>;
      readonly matched_queries?: Readonly<Record<string, number>>;
    }[];
  };
}

function alternativesOf(terms: readonly WeighedTerm[]) {
  return terms.flatMap(({ alternatives }) => alternatives);
}

function namedTerms(terms: readonly WeighedTerm[]): Query[] {
  const places = new Map(alternativesOf(terms).map((alternative, at) => [alternative, `alternative ${at}`]));
  return terms.map((term) => scoredTerm(term, (alternative) => places.get(alternative) ?? ''));
}
