import { ANYONE, type CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, SUPPORT, VIEWERS } from '@ces/chassis/rpc/operator';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';

export const callers: CallerPolicy = {
  [OperationsService.typeName]: { '*': [ANYONE] },
  [OperationsAdminService.typeName]: {
    ListOperations: [VIEWERS],
    ListSettlements: [VIEWERS],
    GetOperationRecord: [SUPPORT],
    RequeueOperation: [SUPPORT],
    '*': [OPERATORS],
  },
  [AuditService.typeName]: { '*': [VIEWERS] },
  [RestoreService.typeName]: { '*': [OPERATORS] },
};
