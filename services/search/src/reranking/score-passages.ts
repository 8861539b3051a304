import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { createModelGuard } from '../endpoint/model-guard.ts';
import type { ScorePassages } from '../ranking/similarities.ts';
import type { CrossEncoder } from './cross-encoder.ts';
import { passageText } from './passage-text.ts';

export interface CrossEncoderSettings {
  readonly timeoutMs: number;
  readonly concurrency: number;
}

interface CrossEncoderTools {
  readonly lookup: Client<typeof LookupService>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads the observations from the record and scores them. Any failure leaves the ranking to words
 * and vectors. An observation that is gone has no score.
 */
export function createScorePassages(
  encoder: CrossEncoder,
  settings: CrossEncoderSettings,
  { lookup, ...tools }: CrossEncoderTools,
): ScorePassages {
  const guard = createModelGuard({
    name: 'the cross-encoder',
    counter: {
      name: 'ces.search.cross_encodings',
      description:
        'Searches that the cross-encoder was to judge, by outcome; all but reordered were left to words and vectors.',
    },
    ...settings,
    ...tools,
  });
  return async (query, passages, bounds) => {
    const ask = async (signal: AbortSignal) => {
      const ids = {
        companyIds: passages.map(({ companyId }) => companyId),
        observationIds: passages.map(({ observationId }) => observationId),
      };
      const documents = await lookup.getDocuments(ids, { signal });
      const companies = new Map(documents.companies.map((document) => [document.id, document]));
      const present = documents.observations.filter(({ tombstone }) => !tombstone);
      const texts = present.map((document) => passageText(document, companies.get(document.companyId)));
      const scores = await encoder.score(query, texts, signal);
      return new Map(present.map(({ id }, at) => [id, scores[at] ?? Number.NaN]));
    };
    const isIndifferent = (scores: ReadonlyMap<bigint, number>) => scores.size === 0;
    const logOdds = await guard.ask(ask, { ...bounds, isIndifferent });
    return logOdds && !isIndifferent(logOdds) ? { model: encoder.crossEncoder, logOdds } : undefined;
  };
}
