import type { PostgresTls } from '@ces/chassis/postgres/connection';
import type { RankingQuery } from '../../../../ranking/ranking.ts';
import type { LiteralHit, LiteralQuery } from '../../../observation-index.ts';
import type { MemorySearchState } from '../memory-search.ts';
import type { SearchMoment } from '../search-moment.ts';
import type { PackedRanking } from './packed-ranking.ts';

/** One loads documents, the other follows the change log. */
export const MEMORY_INDEX_CONNECTIONS = 2;

export interface MemoryWorkerOptions {
  readonly databaseUrl: string;
  readonly tls: PostgresTls;
  readonly mostBytes: number;
  readonly model: string | undefined;
  readonly directory?: string | undefined;
  readonly logLevel: string;
}

export type MemoryRequest = { readonly id: number; readonly moment: SearchMoment } & (
  | { readonly ranking: RankingQuery }
  | { readonly literal: LiteralQuery }
);

export type MemoryAnswer = { readonly id: number } & (
  | { readonly ranking: PackedRanking }
  | { readonly hits: LiteralHit[] }
  | { readonly failure: 'unavailable' | Error }
);

export type MemoryMessage = MemoryAnswer | { readonly state: MemorySearchState };
