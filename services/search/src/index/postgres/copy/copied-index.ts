import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { CompanyNumbers } from './documents/company-numbers.ts';
import { CompanyTable } from './documents/company-table.ts';
import { ObservationTable } from './documents/observation-table.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import type { Scratch } from './ranking/scratch.ts';
import type { SearchedPartitions } from './searched-partitions.ts';
import { type SearchedTexts, Texts } from './texts/texts.ts';

export interface CopiedDocuments {
  readonly companyNumbers: CompanyNumbers;
  readonly observations: ObservationTable;
  readonly observationTexts: Texts;
  readonly companies: CompanyTable;
  readonly companyTexts: Texts;
}

/** Holds a consistent version of the index, possibly without older partitions. */
export interface CopiedIndex extends CopiedDocuments {
  /**
   * Partitions from this one on are loaded, and so is the undated one. Companies are always
   * complete.
   */
  readonly from: number;
  readonly origin: string;
  version: bigint;
  position: ChangePosition | undefined;
  readonly scratch: Scratch;
}

/** The view serves one search and is valid until the next await. */
export interface SearchedCopy {
  readonly companyNumbers: CompanyNumbers;
  readonly observations: ObservationTable;
  readonly observationTexts: SearchedTexts;
  readonly companies: CompanyTable;
  readonly companyTexts: SearchedTexts;
  readonly scratch: Scratch;
}

export function noDocuments(): CopiedDocuments {
  const companyNumbers = new CompanyNumbers();
  return {
    companyNumbers,
    observations: new ObservationTable(companyNumbers),
    observationTexts: new Texts(),
    companies: new CompanyTable(companyNumbers),
    companyTexts: new Texts(),
  };
}

export function holdsPartition({ from }: CopiedIndex, partition: number): boolean {
  return partition >= from || partition === UNDATED_PARTITION;
}

export function inPartitions(copy: CopiedIndex, partitions: SearchedPartitions): SearchedCopy {
  const { observationTexts, companyTexts } = copy;
  return { ...copy, observationTexts: observationTexts.inPartitions(partitions), companyTexts: companyTexts.all() };
}
