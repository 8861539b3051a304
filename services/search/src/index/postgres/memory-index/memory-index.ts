import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { CompanyNumbers } from './documents/company-numbers.ts';
import { CompanyTable } from './documents/company-table.ts';
import { ObservationTable } from './documents/observation-table.ts';
import { InvertedIndex, type InvertedIndexView } from './inverted-index/inverted-index.ts';
import { Lexicon } from './inverted-index/lexicon.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import type { BufferPool } from './ranking/buffer-pool.ts';
import type { SearchedPartitions } from './searched-partitions.ts';
import type { IndexVectors } from './vectors/index-vectors.ts';

export interface LoadedDocuments {
  readonly companyNumbers: CompanyNumbers;
  readonly observations: ObservationTable;
  readonly observationTexts: InvertedIndex;
  readonly companies: CompanyTable;
  readonly companyTexts: InvertedIndex;
  readonly vectors: IndexVectors | undefined;
}

/** A consistent version of the index, possibly without older partitions. */
export interface MemoryIndex extends LoadedDocuments {
  /** The oldest loaded partition; the undated one and all companies are always loaded. */
  from: number;
  leftOut: number;
  readonly origin: string;
  version: bigint;
  position: ChangePosition | undefined;
  readonly buffers: BufferPool;
}

/** The view serves one search and is valid until the next await. */
export interface MemoryIndexView {
  readonly companyNumbers: CompanyNumbers;
  readonly observations: ObservationTable;
  readonly observationTexts: InvertedIndexView;
  readonly companies: CompanyTable;
  readonly companyTexts: InvertedIndexView;
  readonly vectors: IndexVectors | undefined;
  readonly buffers: BufferPool;
}

export function emptyDocuments(vectors?: IndexVectors): LoadedDocuments {
  const companyNumbers = new CompanyNumbers();
  const lexicon = new Lexicon();
  return {
    companyNumbers,
    observations: new ObservationTable(companyNumbers),
    observationTexts: new InvertedIndex(lexicon),
    companies: new CompanyTable(companyNumbers),
    companyTexts: new InvertedIndex(lexicon),
    vectors,
  };
}

export function holdsPartition({ from }: MemoryIndex, partition: number): boolean {
  return partition >= from || partition === UNDATED_PARTITION;
}

export function viewOfAll(index: MemoryIndex): MemoryIndexView {
  const { observationTexts, companyTexts } = index;
  return { ...index, observationTexts: observationTexts.all(), companyTexts: companyTexts.all() };
}

export function viewOf(index: MemoryIndex, partitions: SearchedPartitions): MemoryIndexView {
  return { ...viewOfAll(index), observationTexts: index.observationTexts.inPartitions(partitions) };
}
