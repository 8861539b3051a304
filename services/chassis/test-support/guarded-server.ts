import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { ANYONE } from '../src/rpc/caller.ts';
import { MAX_MESSAGE_BYTES } from '../src/rpc/message-size.ts';
import { startRpcServer } from '../src/rpc/server.ts';
import { startAdminServer } from '../src/service/admin-server.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { acceptTokens } from './accept-tokens.ts';

/**
 * Starts every port of a service and sends the addresses to the parent process. One service is open
 * to anyone.
 */
const rpc = await startRpcServer({
  host: '127.0.0.1',
  port: 0,
  routes: (router) => {
    router.service(LedgerService, { authenticate: () => ({}) });
    router.service(RecordService, { recordEvidence: () => ({}) });
    router.service(OperationsService, { submitCompanySearch: () => ({}) });
  },
  requestSizes: { [RecordService.typeName]: { RecordEvidence: MAX_MESSAGE_BYTES } },
  callers: {
    [LedgerService.typeName]: { '*': ['operations'] },
    [RecordService.typeName]: { '*': ['acquisition'] },
    [OperationsService.typeName]: { '*': [ANYONE] },
  },
  callerTokens: acceptTokens({ operations: 'token-of-operations', acquisition: 'token-of-acquisition' }),
  logger: createLogger('test', 'silent'),
});
const admin = await startAdminServer('127.0.0.1', 0, { readiness: () => ({ ready: true, why: 'a test' }) });
process.once('disconnect', () => process.exit());
process.send?.({ rpc: rpc.url, admin: admin.url });
