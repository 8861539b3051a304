import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  VerifyEvidenceRequest,
  VerifyEvidenceResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { KeptEvidence } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { hex, readRawRecords, type StoredRecord } from '../db/raw-record.ts';
import { findProblem } from '../reprocess/verify-passage.ts';
import type { Dependencies } from './dependencies.ts';

export async function verifyEvidence(
  { pool, sources, record }: Dependencies,
  { afterId, limit, source }: VerifyEvidenceRequest,
): Promise<MessageInitShape<typeof VerifyEvidenceResponseSchema>> {
  const { evidence: rows, hasMore } = await record.listEvidence({ afterId, limit, source });
  const raws = new Map((await readRawRecords(pool, rows.map(rawRecordOf))).map((raw) => [nameOf(raw), raw]));
  const results = rows.map((row) => ({ row, problem: problemOf(row, raws.get(nameOf(rawRecordOf(row)))) }));
  if (results.length > 0)
    await record.recordVerification({
      results: results.map(({ row, problem }) => ({ evidenceId: row.id, problem })),
    });
  return {
    checked: rows.length,
    lastId: rows.at(-1)?.id ?? afterId,
    hasMore,
    broken: results
      .filter(({ problem }) => problem !== '')
      .map(({ row: { id, observationId, source: brought }, problem }) => ({
        evidenceId: id,
        observationId,
        source: brought,
        problem,
      })),
  };

  function problemOf(row: KeptEvidence, raw: StoredRecord | undefined): string {
    return findProblem(sources.find(row.source), raw, {
      excerpt: row.evidence?.excerpt ?? '',
      rawHash: row.evidence?.rawRecordHash ?? new Uint8Array(),
      textHash: row.evidence?.textHash ?? new Uint8Array(),
      extractor: row.evidence?.extractorVersion ?? '',
    });
  }
}

function rawRecordOf({ source, evidence }: KeptEvidence): { source: string; hash: Uint8Array } {
  return { source, hash: evidence?.rawRecordHash ?? new Uint8Array() };
}

function nameOf({ source, hash }: { readonly source: string; readonly hash: Uint8Array }): string {
  return `${source} ${hex(hash)}`;
}
