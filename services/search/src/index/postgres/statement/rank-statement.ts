import type { Scoring } from '../../../ranking/scoring.ts';
import type { RankingQuery } from '../../observation-index.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import type { RetrievalPlan } from '../retrieval/plan-retrieval.ts';

export interface RankStatement extends RankingQuery, Partitioning {
  readonly scoring: Scoring;
  readonly retrieval: RetrievalPlan;
}
