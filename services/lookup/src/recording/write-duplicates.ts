import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { insertEventKeys } from '../db/event-key.ts';
import { addEvidence } from '../db/evidence.ts';
import { type AssignedRecord, amendObservations, incrementVersions, raiseConfidence } from '../db/observation.ts';
import { attachDuplicates, readRecorded } from '../db/source-record.ts';
import { takesOverWording } from '../deduplication/decide-repeat.ts';
import { eventKeysFor } from '../deduplication/event-key.ts';
import type { BatchResults } from './batch-results.ts';
import type { ResolvedRecord } from './find-duplicates.ts';
import { rewriteSupport } from './rewrite-support.ts';

export async function writeDuplicates(
  client: Queryable,
  source: string,
  duplicates: readonly AssignedRecord<ResolvedRecord>[],
  results: BatchResults,
): Promise<bigint[]> {
  if (duplicates.length === 0) return [];
  await attachDuplicates(client, source, duplicates);
  const known = await readRecorded(
    client,
    source,
    duplicates.map(({ record }) => record.key),
  );
  const wording = duplicates.filter(({ record }) => {
    const duplicate = known.get(record.key);
    return duplicate !== undefined && takesOverWording(record, duplicate);
  });
  const changed = new Set([
    ...(await amendObservations(client, source, wording)),
    ...(await raiseConfidence(client, duplicates)),
    ...(await addEvidence(client, source, duplicates)),
  ]);
  await rewriteSupport(client, source, duplicates);
  await insertEventKeys(client, duplicates.map(eventKeysFor));
  await incrementVersions(client, [...changed]);
  for (const { observationId: id, record } of duplicates)
    results.set(record.index, { outcome: RecordOutcome.AMENDED, id });
  return [...changed];
}
