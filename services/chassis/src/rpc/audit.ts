import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { FailureCode, fail } from '../failure.ts';
import type { AuditRow } from '../postgres/audit-rows.ts';

const PAGE = 100;
const LARGEST_PAGE = 1_000;

export function registerAudit(
  router: ConnectRouter,
  list: (beforeId: bigint, limit: number) => Promise<readonly AuditRow[]>,
): void {
  router.service(AuditService, {
    async listAudit({ beforeId, limit }) {
      if (beforeId < 0n || limit < 0 || limit > LARGEST_PAGE)
        throw fail(
          FailureCode.INVALID_REQUEST,
          `before_id must not be negative, and limit must be from 1 to ${LARGEST_PAGE}.`,
        );
      const rows = await list(beforeId, limit || PAGE);
      return {
        entries: rows.map(({ id, at, caller, role, reason, action, detail }) => ({
          ...{ id, at: timestampFromDate(at), who: caller, role: role ?? '', reason: reason ?? '' },
          ...{ action, detailJson: detail },
        })),
      };
    },
  });
}
