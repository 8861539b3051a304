import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Counter, metrics } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import { createCircuit } from '../endpoint/circuit.ts';
import { EndpointFailure, endpointOf } from '../endpoint/endpoint.ts';
import { fuse } from '../ranking/fuse.ts';
import type { RankedCompany } from '../ranking/rank-companies.ts';
import { type ReorderBounds, type Reorderer, reorderLimitMs } from '../ranking/reorderer.ts';
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
  /** In place of the endpoint of the settings. */
  readonly reranker?: Reranker | undefined;
}

/** Companies whose order a reranker may change, the best: what is worth its time. */
const COMPANIES = 30;

/** What became of a search that a reranker was to order. */
const OUTCOMES = ['reordered', 'indifferent', 'failed', 'busy', 'paused'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The reorderer by the reranker of the settings; undefined when they name no endpoint. */
export function createRerankingReorderer(settings: RerankSettings, tools: RerankTools): Reorderer | undefined {
  const reranker = tools.reranker ?? rerankerOf(settings);
  if (!reranker) return undefined;
  const circuit = createCircuit(tools.clock);
  const outcomes = countOutcomes();
  let waiting = 0;
  return {
    async reorder(query, companies, bounds) {
      if (companies.length < 2) return undefined;
      const count = (outcome: Outcome) => outcomes.add(1, { outcome });
      if (waiting >= settings.rerankConcurrency) return void count('busy');
      if (!circuit.mayAsk()) return void count('paused');
      waiting += 1;
      try {
        const best = companies.slice(0, COMPANIES);
        const scores = await scoresOf(reranker, query, best, settings, tools, bounds);
        circuit.succeeded();
        const isIndifferent = scores.every((score) => score === scores[0]);
        count(isIndifferent ? 'indifferent' : 'reordered');
        if (isIndifferent) return undefined;
        return [...inNewOrder(best, scores, settings.rerankShare / 1000), ...companies.slice(COMPANIES)];
      } catch (error) {
        bounds.signal.throwIfAborted();
        const isOfEndpoint = error instanceof EndpointFailure;
        if (isOfEndpoint) circuit.failed();
        const reason = isOfEndpoint ? error.message : 'the texts could not be read in time';
        count('failed');
        tools.logger.warn({ reason }, 'the reranking endpoint failed: words alone give the order');
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function rerankerOf({ rerankUrl: url, rerankModel: model, rerankKey: key }: RerankSettings): Reranker | undefined {
  return url === '' ? undefined : createEndpointReranker(endpointOf('CES_SEARCH_RERANK', { url, model, apiKey: key }));
}

async function scoresOf(
  reranker: Reranker,
  query: string,
  companies: readonly RankedCompany[],
  settings: RerankSettings,
  { lookup }: RerankTools,
  { signal, timeoutMs }: ReorderBounds,
): Promise<readonly number[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(reorderLimitMs(settings.rerankTimeoutMs, timeoutMs))]);
  return await reranker.rerank(queryText(query), await companyTexts(lookup, companies, limited), limited);
}

/** The companies with fused scores, the best first; equal ones stay as words have them. */
function inNewOrder(companies: readonly RankedCompany[], scores: readonly number[], share: number): RankedCompany[] {
  const fused = fuse(
    companies.map(({ score }) => score),
    scores,
    share,
  );
  return companies
    .map((company, at) => ({ ...company, score: fused[at] ?? company.score }))
    .toSorted((a, b) => b.score - a.score);
}

/** Each series is shown as 0 before its first, so that its increase is seen. */
function countOutcomes(): Counter {
  const outcomes = metrics.getMeter('ces').createCounter('ces.search.rerankings', {
    description: 'Searches that a reranker was to order, by what came of it; all but reordered were left to words.',
  });
  for (const outcome of OUTCOMES) outcomes.add(0, { outcome });
  return outcomes;
}
