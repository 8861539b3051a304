import { create } from '@bufbuild/protobuf';
import { type Plan, PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { type Engine, HITS } from './engine.ts';
import { searchFilters } from './filter-classes.ts';

export function enginesOfIndex(
  name: string,
  index: ObservationIndex,
): { readonly raw: Engine; readonly withContext: Engine } {
  return {
    raw: {
      name: `${name}: index alone`,
      hasContext: false,
      ask: (words, within) => askIndex(index, planOf(words), searchFilters(within)),
    },
    withContext: {
      name: `${name}: index with context`,
      hasContext: true,
      ask: (words, within) => askIndex(index, planOf(words, true), searchFilters(within)),
    },
  };
}

async function askIndex(index: ObservationIndex, plan: Plan, filters: ReturnType<typeof searchFilters>) {
  const { hits } = await index.rank({
    plan,
    filters,
    companies: HITS,
    observationsPerCompany: 3,
    explain: false,
    timeoutMs: undefined,
  });
  return { ids: () => hits.toSorted((a, b) => b.score - a.score).map((hit) => Number(hit.observationId)) };
}

/** Searches words in observations and, with `withProfiles`, in company profiles. */
export function planOf(words: readonly string[], withProfiles = false): Plan {
  const terms = words.map((word) => ({ words: [word], weight: 1, text: word }));
  return create(PlanSchema, {
    version: 1,
    planner: 'bench',
    retrieval: Retrieval.LEXICAL,
    activity: terms,
    description: withProfiles ? terms : [],
  });
}
