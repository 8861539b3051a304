import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { CompanyTable } from './company-table.ts';
import type { ObservationTable } from './observation-table.ts';
import type { Texts } from './texts.ts';

/** The index as it was at one version. */
export interface CopiedIndex {
  readonly observations: ObservationTable;
  readonly observationTexts: Texts;
  readonly companies: CompanyTable;
  readonly companyTexts: Texts;
  readonly origin: string;
  version: bigint;
  position: ChangePosition | undefined;
}
