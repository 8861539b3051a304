import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { CompanyNumbers } from './documents/company-numbers.ts';
import { CompanyTable } from './documents/company-table.ts';
import { ObservationTable } from './documents/observation-table.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import type { Scratch } from './ranking/scratch.ts';
import type { SearchedPartitions } from './searched-partitions.ts';
import { type SearchedTexts, Texts } from './texts/texts.ts';

/** What a copy keeps of documents. */
export interface CopiedDocuments {
  readonly companyNumbers: CompanyNumbers;
  readonly observations: ObservationTable;
  readonly observationTexts: Texts;
  readonly companies: CompanyTable;
  readonly companyTexts: Texts;
}

/** The index as it was at one version, or as much of it as there is room for. */
export interface CopiedIndex extends CopiedDocuments {
  /** What lies in this partition, in newer ones or in none by its date is here; companies always are. */
  readonly from: number;
  readonly origin: string;
  version: bigint;
  position: ChangePosition | undefined;
  readonly scratch: Scratch;
}

/** What one search reads of a copy, in which nothing else happens meanwhile. */
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

/** Whether a copy holds what lies in a partition. */
export function holdsPartition({ from }: CopiedIndex, partition: number): boolean {
  return partition >= from || partition === UNDATED_PARTITION;
}

/** What searches of some partitions read of a copy. */
export function inPartitions(copy: CopiedIndex, partitions: SearchedPartitions): SearchedCopy {
  const { observationTexts, companyTexts } = copy;
  return { ...copy, observationTexts: observationTexts.inPartitions(partitions), companyTexts: companyTexts.all() };
}
