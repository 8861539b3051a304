import type { Queryable } from '@ces/chassis/postgres/pool';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { findNewestChange } from '../changes/change-feed.ts';
import { findEvidenceReport } from '../db/evidence-report.ts';
import type { Dependencies } from '../dependencies.ts';
import { applyVerdicts } from '../verification/apply-verdicts.ts';
import { findChangedProblems, judgePage, writeProblems } from '../verification/judge-observations.ts';
import { listKeptEvidence } from '../verification/kept-evidence.ts';
import { checkAtMost, checkBetween } from './arguments.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;
const MAX_PROBLEM_LENGTH = 500;

/** Shows and verifies what is recorded. */
export function evidenceMethods(dependencies: Dependencies) {
  const { pool } = dependencies;
  return {
    async getEvidence({ observationId }) {
      const report = await findEvidenceReport(pool, observationId);
      if (!report) throw fail(FailureCode.NOT_FOUND, 'No observation has that id.');
      return report;
    },
    async getRecordStatus() {
      const newest = await findNewestChange(pool);
      const sizes = await countRecord(pool);
      return { ...sizes, newest: { tx: newest?.tx ?? 0n, seq: newest?.seq ?? 0n } };
    },
    async listEvidence({ afterId, source, limit: asked }) {
      const limit = asked || DEFAULT_LIMIT;
      checkBetween('limit', limit, 1, MAX_LIMIT);
      const rows = await listKeptEvidence(pool, afterId, source, limit + 1);
      return { evidence: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    async verifyRecord(request, context) {
      const limit = request.limit || DEFAULT_LIMIT;
      checkBetween('limit', limit, 1, MAX_LIMIT);
      const { checked, lastId, judged } = await judgePage(pool, request.afterId, limit);
      const news = judged.filter((one) => !one.known).map((one) => one.observationId);
      const { tx } = await applyVerdicts(dependencies, actorOf(context), async () => ({ ids: news }));
      return {
        checked,
        lastId,
        hasMore: checked === limit,
        unverified: judged.flatMap(({ observationId, reason }) =>
          reason === undefined ? [] : { observationId, reason },
        ),
        tx: tx ?? 0n,
      };
    },
    async recordVerification({ results }, context) {
      checkAtMost('results', results.length, MAX_LIMIT);
      if (results.some(({ problem }) => [...problem].length > MAX_PROBLEM_LENGTH || problem.includes('\0')))
        throw fail(FailureCode.INVALID_REQUEST, `problem must be at most ${MAX_PROBLEM_LENGTH} characters.`);
      if (new Set(results.map((one) => one.evidenceId)).size < results.length)
        throw fail(FailureCode.INVALID_REQUEST, 'results names an evidence row twice.');
      const found = results.map(({ evidenceId, problem }) => ({ evidenceId, problem: problem.trim() || undefined }));
      const { tx, judged } = await applyVerdicts(dependencies, actorOf(context), async (client) => {
        const other = await findChangedProblems(client, found);
        const ids = [...new Set(other.map(({ observationId }) => observationId))];
        return { ids, write: () => writeProblems(client, other) };
      });
      return {
        unverifiedIds: judged.filter((one) => one.reason !== undefined).map((one) => one.observationId),
        verifiedIds: judged.filter((one) => one.reason === undefined).map((one) => one.observationId),
        tx: tx ?? 0n,
      };
    },
  } satisfies Partial<ServiceImpl<typeof RecordService>>;
}

interface RecordSizes {
  readonly companies: bigint;
  readonly observations: bigint;
  readonly evidence: bigint;
}

const COUNTED = 100_000;

/** Exact up to `COUNTED` rows; beyond it, planner statistics. */
async function countRecord(db: Queryable): Promise<RecordSizes> {
  const { rows } = await db.query<RecordSizes>(
    `select ${sizeOf('company')} as companies, ${sizeOf('observation')} as observations, ${sizeOf('evidence')} as evidence`,
  );
  return rows[0] as RecordSizes;
}

function sizeOf(table: string): string {
  return `(
    select case when counted <= ${COUNTED} then counted else greatest(counted, (
             select sum(reltuples)::bigint from pg_class
              where oid = '${table}'::regclass and relkind = 'r' or oid in (select relid from pg_partition_tree('${table}') where isleaf)))
           end
      from (select count(*) as counted from (select from ${table} limit ${COUNTED + 1}) few) size)`;
}
