import type { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';

export interface RecordedPart {
  readonly tx: bigint;
  readonly observations: readonly RecordedObservation[];
  readonly closings: readonly Recorded[];
}

interface Recorded {
  readonly key: string;
  readonly outcome: RecordOutcome;
  readonly reason: string;
}

export interface RecordedObservation extends Recorded {
  readonly observationId: bigint;
  readonly companyId: bigint;
}
