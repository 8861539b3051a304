import type { Queryable } from '@ces/chassis/postgres/pool';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { ObservationIndex } from './index/observation-index.ts';
import type { Planner } from './planning/planner.ts';
import type { Calibration } from './ranking/calibration.ts';
import type { ByMeaning } from './ranking/likenesses.ts';
import type { Reorderer } from './ranking/reorderer.ts';
import type { Vocabulary } from './vocabulary/load-vocabulary.ts';

/** What the methods of this service work with. */
export interface Dependencies {
  /** For the audit alone; everything else is behind the index. */
  readonly db: Queryable;
  readonly index: ObservationIndex;
  readonly vocabulary: Vocabulary;
  readonly lookup: Client<typeof LookupService>;
  readonly planner: Planner;
  /** Absent: words alone find and order. */
  readonly meaning: Omit<ByMeaning, 'signal'> | undefined;
  /** A reranker, after words and meaning. */
  readonly reorderer: Reorderer | undefined;
  /** That of the ranking of this release. */
  readonly calibration: Calibration;
  /** Least probability of relevance that plans ask for, in thousandths. */
  readonly minimumRelevance: number;
  /** Makes the projector look at once. */
  readonly wakeProjector: () => void;
}
