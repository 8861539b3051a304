import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Config } from '../config.ts';
import { EndpointFailure, endpointOf } from '../endpoint/endpoint.ts';
import { cosine, fuse } from '../ranking/fuse.ts';
import type { RankedCompany } from '../ranking/rank-companies.ts';
import { type Reorderer, reorderLimitMs } from '../ranking/reorderer.ts';
import { cacheVectors } from './cache-vectors.ts';
import type { Embedder } from './embedder.ts';
import { createEndpointEmbedder } from './endpoint-embedder.ts';

type EmbeddingSettings = Pick<
  Config,
  'embeddingUrl' | 'embeddingModel' | 'embeddingKey' | 'embeddingTimeoutMs' | 'embeddingConcurrency' | 'embeddingShare'
>;

interface ReorderTools {
  readonly lookup: Client<typeof LookupService>;
  readonly logger: Logger;
  /** In place of the endpoint of the settings. */
  readonly embedder?: Embedder | undefined;
}

/** Companies whose order vectors may change, the best: lookup gives their texts in one call. */
const COMPANIES = 100;
/** What of a text is turned into a vector: models read no more at once. */
const TEXT_CODE_UNITS = 2000;

/** The reorderer by the vectors of the settings; undefined when they name no endpoint. */
export function createReorderer(settings: EmbeddingSettings, tools: ReorderTools): Reorderer | undefined {
  const embedder = tools.embedder ?? embedderOf(settings);
  if (!embedder) return undefined;
  const remembering = cacheVectors(embedder);
  let waiting = 0;
  return {
    async reorder(query, companies, { signal, timeoutMs }) {
      if (companies.length < 2) return undefined;
      const limitMs = reorderLimitMs(settings.embeddingTimeoutMs, timeoutMs);
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      waiting += 1;
      try {
        if (waiting > settings.embeddingConcurrency) throw new EndpointFailure('too many searches wait for it');
        const best = companies.slice(0, COMPANIES);
        const texts = await textsOf(tools.lookup, best, limited);
        const vectors = await remembering.embed([query.slice(0, TEXT_CODE_UNITS), ...texts], limited);
        return [...inNewOrder(best, vectors, settings.embeddingShare / 1000), ...companies.slice(COMPANIES)];
      } catch (error) {
        signal.throwIfAborted();
        const reason = error instanceof EndpointFailure ? error.message : 'the texts could not be read in time';
        tools.logger.warn({ reason }, 'the embedding endpoint failed: words alone give the order');
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function embedderOf({ embeddingUrl: url, embeddingModel: model, embeddingKey: key }: EmbeddingSettings) {
  return url === ''
    ? undefined
    : createEndpointEmbedder(endpointOf('CES_SEARCH_EMBEDDING', { url, model, apiKey: key }));
}

/** The texts of the best observation of each company and of its profile. */
async function textsOf(
  lookup: ReorderTools['lookup'],
  companies: readonly RankedCompany[],
  signal: AbortSignal,
): Promise<string[]> {
  const best = companies.map(({ hits: [first] }) => first?.observationId ?? 0n);
  const companyIds = companies.map(({ companyId }) => companyId);
  const documents = await lookup.getDocuments({ companyIds, observationIds: best }, { signal });
  const observations = new Map(documents.observations.map((document) => [document.id, document]));
  const profiles = new Map(documents.companies.map((document) => [document.id, document.profile]));
  return companies.map(({ companyId }, at) => {
    const observation = observations.get(best[at] ?? 0n);
    const parts = [observation?.observedFact, ...(observation?.excerpts.slice(0, 1) ?? []), profiles.get(companyId)];
    /* An endpoint refuses an empty text. */
    return parts.filter(Boolean).join('\n').slice(0, TEXT_CODE_UNITS) || '-';
  });
}

/** The companies with fused scores, the best first. */
function inNewOrder(
  companies: readonly RankedCompany[],
  [query, ...vectors]: readonly Float32Array[],
  share: number,
): RankedCompany[] {
  const likenesses = vectors.map((vector) => (query ? cosine(query, vector) : 0));
  const fused = fuse(
    companies.map(({ score }) => score),
    likenesses,
    share,
  );
  return companies
    .map((company, at) => ({ ...company, score: fused[at] ?? company.score }))
    .toSorted((a, b) => b.score - a.score);
}
