import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Config } from '../config.ts';
import { endpointOf } from '../endpoint/endpoint.ts';
import { createModelGuard } from '../endpoint/model-guard.ts';
import { fuseScores } from '../ranking/fuse.ts';
import type { Reorderer } from '../ranking/reorderer.ts';
import { companyTexts, queryText } from './company-texts.ts';
import { createEndpointReranker } from './endpoint-reranker.ts';
import type { Reranker } from './reranker.ts';

type RerankSettings = Pick<
  Config,
  'rerankUrl' | 'rerankModel' | 'rerankKey' | 'rerankTimeoutMs' | 'rerankConcurrency' | 'rerankShare'
>;

interface RerankTools {
  readonly lookup: Client<typeof LookupService>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly reranker?: Reranker | undefined;
}

const COMPANIES = 30;

export function createRerankingReorderer(settings: RerankSettings, tools: RerankTools): Reorderer | undefined {
  const reranker = tools.reranker ?? rerankerOf(settings);
  if (!reranker) return undefined;
  const { rerankTimeoutMs: timeoutMs, rerankConcurrency: concurrency, rerankShare } = settings;
  const guard = createModelGuard({
    name: 'the reranking endpoint',
    counter: {
      name: 'ces.search.rerankings',
      description: 'Searches that a reranker was to order, by outcome; all but reordered were left to words.',
    },
    timeoutMs,
    concurrency,
    ...tools,
  });
  return {
    async reorder(query, companies, bounds) {
      if (companies.length < 2) return undefined;
      const best = companies.slice(0, COMPANIES);
      const ask = async (signal: AbortSignal) =>
        await reranker.rerank(queryText(query), await companyTexts(tools.lookup, best, signal), signal);
      const isIndifferent = (values: readonly number[]) => new Set(values).size < 2;
      const values = await guard.ask(ask, { ...bounds, isIndifferent });
      if (!values || isIndifferent(values)) return undefined;
      const byOthers = best.map(({ score }) => score);
      const scores = fuseScores(byOthers, values, rerankShare / 1000);
      const reordered = best.map((company, at) => ({ ...company, score: scores[at] ?? company.score }));
      return [...reordered.toSorted((a, b) => b.score - a.score), ...companies.slice(COMPANIES)];
    },
  };
}

function rerankerOf({ rerankUrl: url, rerankModel: model, rerankKey: key }: RerankSettings): Reranker | undefined {
  return url === '' ? undefined : createEndpointReranker(endpointOf('CES_SEARCH_RERANK', { url, model, apiKey: key }));
}
