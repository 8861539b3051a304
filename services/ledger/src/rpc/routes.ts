import { callerOf } from '@ces/chassis/rpc/server';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { authenticate } from './authenticate.ts';
import { charge } from './charge.ts';
import { createAccount } from './create-account.ts';
import { createSubscription } from './create-subscription.ts';
import type { Deps } from './dependencies.ts';
import { getAllowance } from './get-allowance.ts';
import { getSubscription } from './get-subscription.ts';
import { getUsageReport } from './get-usage-report.ts';
import { issueCredential } from './issue-credential.ts';
import { listAccounts } from './list-accounts.ts';
import { listCredentials } from './list-credentials.ts';
import { listHolds } from './list-holds.ts';
import { listMovements } from './list-movements.ts';
import { listPlans } from './list-plans.ts';
import { release } from './release.ts';
import { reserve } from './reserve.ts';
import { revokeCredential } from './revoke-credential.ts';
import { rotateCredential } from './rotate-credential.ts';
import { settle } from './settle.ts';
import { updatePlan } from './update-plan.ts';
import { updateSubscription } from './update-subscription.ts';
import { verifyLedger } from './verify-ledger.ts';

export function routes(deps: Deps): (router: ConnectRouter) => void {
  return (router) => {
    router.service(LedgerService, {
      authenticate: (request) => authenticate(deps, request),
      reserve: (request) => reserve(deps, request),
      settle: (request) => settle(deps, request),
      release: (request) => release(deps, request),
      charge: (request) => charge(deps, request),
      getAllowance: (request) => getAllowance(deps, request),
      getUsageReport: (request) => getUsageReport(deps, request),
      listHolds: (request) => listHolds(deps, request),
    });
    router.service(LedgerAdminService, {
      createAccount: (request, context) => createAccount(deps, request, callerOf(context)),
      listAccounts: (request) => listAccounts(deps, request),
      createSubscription: (request, context) => createSubscription(deps, request, callerOf(context)),
      updateSubscription: (request, context) => updateSubscription(deps, request, callerOf(context)),
      getSubscription: (request) => getSubscription(deps, request),
      listPlans: () => listPlans(deps),
      updatePlan: (request, context) => updatePlan(deps, request, callerOf(context)),
      issueCredential: (request, context) => issueCredential(deps, request, callerOf(context)),
      listCredentials: (request) => listCredentials(deps, request),
      rotateCredential: (request, context) => rotateCredential(deps, request, callerOf(context)),
      revokeCredential: (request, context) => revokeCredential(deps, request, callerOf(context)),
      verifyLedger: (request) => verifyLedger(deps, request),
      listMovements: (request) => listMovements(deps, request),
    });
  };
}
