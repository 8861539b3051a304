import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Config } from '../config.ts';
import { endpointOf } from '../endpoint/endpoint.ts';
import { fuse } from '../ranking/fuse.ts';
import type { Reorderer } from '../ranking/reorderer.ts';
import { companyTexts, queryText } from './company-texts.ts';
import { createEndpointReranker } from './endpoint-reranker.ts';
import { type CompanyScorer, reorderByScores } from './reorder-by-scores.ts';
import type { Reranker } from './reranker.ts';

type RerankSettings = Pick<
  Config,
  'rerankUrl' | 'rerankModel' | 'rerankKey' | 'rerankTimeoutMs' | 'rerankConcurrency' | 'rerankShare'
>;

interface RerankTools {
  readonly lookup: Client<typeof LookupService>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** In place of the endpoint of the settings. */
  readonly reranker?: Reranker | undefined;
}

/** A reranker reads the texts of each. */
const COMPANIES = 30;

/** The reorderer by the reranker of the settings; undefined when they name no endpoint. */
export function createRerankingReorderer(settings: RerankSettings, tools: RerankTools): Reorderer | undefined {
  const reranker = tools.reranker ?? rerankerOf(settings);
  if (!reranker) return undefined;
  const { rerankTimeoutMs: timeoutMs, rerankConcurrency: concurrency, rerankShare } = settings;
  const scorer: CompanyScorer<number> = {
    name: 'the reranking endpoint',
    counter: {
      name: 'ces.search.rerankings',
      description: 'Searches that a reranker was to order, by what came of it; all but reordered were left to words.',
    },
    companies: COMPANIES,
    score: async (query, companies, signal) =>
      await reranker.rerank(queryText(query), await companyTexts(tools.lookup, companies, signal), signal),
    combine: (byWords, scores) => fuse(byWords, scores, rerankShare / 1000),
  };
  return reorderByScores(scorer, { timeoutMs, concurrency }, tools);
}

function rerankerOf({ rerankUrl: url, rerankModel: model, rerankKey: key }: RerankSettings): Reranker | undefined {
  return url === '' ? undefined : createEndpointReranker(endpointOf('CES_SEARCH_RERANK', { url, model, apiKey: key }));
}
