import type { Pool } from '@ces/chassis/postgres/pool';
import { inTransaction, violatedConstraint } from '@ces/chassis/postgres/pool';
import { actorOf } from '@ces/chassis/rpc/caller';
import type { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { insertAccount, listAccounts } from '../db/account.ts';
import { insertAudit } from '../db/audit.ts';
import { listPlans, updatePlan } from '../db/plan.ts';
import { listPostings } from '../db/posting.ts';
import {
  findSubscription,
  insertSubscription,
  listSubscriptionsOf,
  recordLimitsChanged,
  updateSubscription,
} from '../db/subscription.ts';
import type { Difference } from '../db/verification/difference.ts';
import { countPostings, findDifferences, listForVerification } from '../db/verification/subscription.ts';
import { credentialMethods } from './credentials.ts';
import type { Dependencies } from './dependencies.ts';
import {
  invalid,
  notFound,
  PLANS,
  requireLimits,
  requireOneOf,
  requirePageSize,
  requireText,
  STATUSES,
} from './input.ts';
import { accountMessage, limitsMessage, movementMessage, subscriptionMessage } from './messages.ts';

const SUBSCRIPTIONS_A_PAGE = 100;
const MAX_DIFFERENCES = 1_000;

export function adminService(dependencies: Dependencies): ServiceImpl<typeof LedgerAdminService> {
  const { pool, logger } = dependencies;
  return {
    ...credentialMethods(dependencies),
    async createAccount({ name, testMode }, context) {
      requireText(name, 'name', 1, 200);
      const actor = actorOf(context);
      const account = await inTransaction(pool, async (client) => {
        const made = await insertAccount(client, name, testMode);
        await insertAudit(client, { actor, action: 'CreateAccount', subjectId: made.id, detail: { name, testMode } });
        return made;
      });
      logger.info({ account_id: String(account.id), test_mode: testMode }, 'account created');
      return { account: accountMessage(account, undefined) };
    },
    async listAccounts({ afterId, limit }) {
      const accounts = await listAccounts(pool, afterId, requirePageSize(limit, 100, 1_000));
      const ids = accounts.map(({ id }) => id);
      const subscriptions = await listSubscriptionsOf(pool, ids);
      const byAccount = new Map(subscriptions.map((subscription) => [subscription.accountId, subscription]));
      return { accounts: accounts.map((account) => accountMessage(account, byAccount.get(account.id))) };
    },
    async createSubscription(request, context) {
      const { accountId } = request;
      const wanted = {
        accountId,
        plan: requireOneOf(request.plan, 'plan', PLANS),
        status: requireOneOf(request.status || 'active', 'status', STATUSES),
        ownLimits: requireLimits(request.ownLimits),
      };
      const actor = actorOf(context);
      const subscription = await inTransaction(pool, async (client) => {
        const id = await insertSubscription(client, wanted);
        if (id === undefined) throw notFound('account', accountId);
        await insertAudit(client, { actor, action: 'CreateSubscription', subjectId: id, detail: wanted });
        return await findSubscription(client, id);
      }).catch(explainSubscriptionRefusal);
      if (!subscription) throw notFound('account', accountId);
      logger.info({ subscription_id: String(subscription.id), plan: subscription.plan }, 'subscription created');
      return { subscription: subscriptionMessage(subscription) };
    },
    async updateSubscription(request, context) {
      const { subscriptionId: id, plan, status, replaceLimits } = request;
      const change = {
        plan: plan === undefined ? undefined : requireOneOf(plan, 'plan', PLANS),
        status: status === undefined ? undefined : requireOneOf(status, 'status', STATUSES),
        ownLimits: requireLimits(request.ownLimits),
        replaceLimits,
      };
      const actor = actorOf(context);
      const subscription = await inTransaction(pool, async (client) => {
        if (!(await updateSubscription(client, id, change))) throw notFound('subscription', id);
        await insertAudit(client, { actor, action: 'UpdateSubscription', subjectId: id, detail: change });
        return await findSubscription(client, id);
      }).catch(explainSubscriptionRefusal);
      if (!subscription) throw notFound('subscription', id);
      logger.info(
        { subscription_id: String(id), plan: subscription.plan, status: subscription.status },
        'subscription changed',
      );
      return { subscription: subscriptionMessage(subscription) };
    },
    async getSubscription({ subscriptionId, accountId }) {
      const subscription = subscriptionId
        ? await findSubscription(pool, subscriptionId)
        : (await listSubscriptionsOf(pool, [accountId]))[0];
      if (!subscription)
        throw subscriptionId
          ? notFound('subscription', subscriptionId)
          : notFound('subscription of account', accountId);
      return { subscription: subscriptionMessage(subscription) };
    },
    async listPlans() {
      const plans = await listPlans(pool);
      return { plans: plans.map(({ name, limits }) => ({ name, limits: limitsMessage(limits) })) };
    },
    async updatePlan(request, context) {
      const name = requireOneOf(request.name, 'name', PLANS);
      const wanted = requireLimits(request.limits);
      const actor = actorOf(context);
      const limits = await inTransaction(pool, async (client) => {
        await recordLimitsChanged(client, name);
        await insertAudit(client, { actor, action: 'UpdatePlan', subjectId: name, detail: { ...wanted } });
        return await updatePlan(client, name, wanted);
      });
      logger.info({ plan: name }, 'plan changed');
      return { plan: { name, limits: limitsMessage(limits) } };
    },
    async verifyLedger({ subscriptionId }) {
      const differences: Difference[] = [];
      const counted = { subscriptions: 0n, entries: 0n, holds: 0n };
      for await (const id of toVerify(pool, subscriptionId)) {
        const { entries, holds } = await countPostings(pool, id);
        counted.subscriptions += 1n;
        counted.entries += entries;
        counted.holds += holds;
        differences.push(...(await findDifferences(pool, id)));
        if (differences.length >= MAX_DIFFERENCES) break;
      }
      if (subscriptionId && counted.subscriptions === 0n) throw notFound('subscription', subscriptionId);
      if (differences.length > 0) logger.error({ differences: differences.length }, 'the ledger does not add up');
      return { ...counted, differences: differences.slice(0, MAX_DIFFERENCES) };
    },
    async listMovements({ afterOperationId, limit }) {
      const postings = await listPostings(pool, afterOperationId, requirePageSize(limit, 1_000, 5_000));
      return { movements: postings.map(movementMessage) };
    },
  };
}

function explainSubscriptionRefusal(error: unknown): never {
  switch (violatedConstraint(error)) {
    case 'subscription_account_key':
      throw invalid('The account has a subscription already; change that one.');
    case 'subscription_test_mode_numbers':
      throw invalid("A test account has the plan builder with the plan's own numbers.");
    default:
      throw error;
  }
}

async function* toVerify(pool: Pool, only: bigint) {
  if (only) {
    const found = await listForVerification(pool, only - 1n, 1);
    yield* found.filter((id) => id === only);
    return;
  }
  for (let after = 0n; ; ) {
    const page = await listForVerification(pool, after, SUBSCRIPTIONS_A_PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
