import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf, callerOf } from '@ces/chassis/rpc/caller';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import { afterRestore } from './after-restore.ts';
import { authenticate } from './authenticate.ts';
import { charge } from './charge.ts';
import { createAccount } from './create-account.ts';
import { createSubscription } from './create-subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { getAllowance } from './get-allowance.ts';
import { getRetention } from './get-retention.ts';
import { getSigningKeys } from './get-signing-keys.ts';
import { getSubscription } from './get-subscription.ts';
import { getUsageReport } from './get-usage-report.ts';
import { getUsageStatement } from './get-usage-statement.ts';
import { issueCredential } from './issue-credential.ts';
import { listAccounts } from './list-accounts.ts';
import { listCredentials } from './list-credentials.ts';
import { listEntries } from './list-entries.ts';
import { listHolds } from './list-holds.ts';
import { listMovements } from './list-movements.ts';
import { listPlans } from './list-plans.ts';
import { listPrincipalChanges } from './list-principal-changes.ts';
import { post } from './post.ts';
import { release } from './release.ts';
import { reserve } from './reserve.ts';
import { reverse } from './reverse.ts';
import { revokeCredential } from './revoke-credential.ts';
import { rotateCredential } from './rotate-credential.ts';
import { settle } from './settle.ts';
import { take } from './take.ts';
import { updatePlan } from './update-plan.ts';
import { updateSubscription } from './update-subscription.ts';
import { verifyLedger } from './verify-ledger.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(LedgerService, {
    authenticate: (request) => authenticate(dependencies, request),
    listPrincipalChanges: (request) => listPrincipalChanges(dependencies, request),
    getSigningKeys: () => getSigningKeys(dependencies),
    reserve: (request) => reserve(dependencies, request),
    settle: (request) => settle(dependencies, request),
    release: (request) => release(dependencies, request),
    reverse: (request, context) => reverse(dependencies, request, callerOf(context)),
    getRetention: () => getRetention(dependencies),
    charge: (request) => charge(dependencies, request),
    post: (request, context) => post(dependencies, request, context),
    getAllowance: (request) => getAllowance(dependencies, request),
    getUsageReport: (request) => getUsageReport(dependencies, request),
    getUsageStatement: (request) => getUsageStatement(dependencies, request),
    listEntries: (request) => listEntries(dependencies, request),
    listHolds: (request) => listHolds(dependencies, request),
  });
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.pool, beforeId, limit));
  router.service(CallLimitService, { take: (request) => take(dependencies, request) });
  router.service(RestoreService, { afterRestore: (_, context) => afterRestore(dependencies, actorOf(context)) });
  router.service(LedgerAdminService, {
    createAccount: (request, context) => createAccount(dependencies, request, actorOf(context)),
    listAccounts: (request) => listAccounts(dependencies, request),
    createSubscription: (request, context) => createSubscription(dependencies, request, actorOf(context)),
    updateSubscription: (request, context) => updateSubscription(dependencies, request, actorOf(context)),
    getSubscription: (request) => getSubscription(dependencies, request),
    listPlans: () => listPlans(dependencies),
    updatePlan: (request, context) => updatePlan(dependencies, request, actorOf(context)),
    issueCredential: (request, context) => issueCredential(dependencies, request, actorOf(context)),
    listCredentials: (request) => listCredentials(dependencies, request),
    rotateCredential: (request, context) => rotateCredential(dependencies, request, actorOf(context)),
    revokeCredential: (request, context) => revokeCredential(dependencies, request, actorOf(context)),
    verifyLedger: (request) => verifyLedger(dependencies, request),
    listMovements: (request) => listMovements(dependencies, request),
  });
}
