import type { Queryable } from '@ces/chassis/postgres/pool';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { EmbedQuery } from './embedding/embed-query.ts';
import type { ObservationIndex } from './index/observation-index.ts';
import type { Planner } from './planning/planner.ts';
import type { Calibration } from './ranking/calibration.ts';
import type { QueryMeaning } from './ranking/ranking.ts';
import type { Reorderer } from './ranking/reorderer.ts';
import type { Vocabulary } from './vocabulary/load-vocabulary.ts';

export interface Dependencies {
  readonly db: Queryable;
  readonly index: ObservationIndex;
  readonly vocabulary: Vocabulary;
  readonly lookup: Client<typeof LookupService>;
  readonly planner: Planner;
  /** If it is absent, searches are lexical only. */
  readonly meaning: { readonly embed: EmbedQuery; readonly comparison: Omit<QueryMeaning, 'vector'> } | undefined;
  readonly reorderer: Reorderer | undefined;
  readonly calibration: Calibration;
  /** New plans ask for at least this probability of relevance, in thousandths. */
  readonly minimumRelevance: number;
  readonly wakeProjector: () => void;
}
