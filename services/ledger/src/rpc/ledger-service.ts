import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { failWith } from '@ces/chassis/rpc/failure';
import type { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { allowanceOf } from '../allowance/balance-snapshot.ts';
import { CREDENTIAL_REFUSED } from '../allowance/refusal.ts';
import { digestsOf, pepperChangeOf } from '../credential/pepper.ts';
import { isToken } from '../credential/token.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import { findEntries } from '../db/entry.ts';
import { readHighestOperationId } from '../db/hold.ts';
import { findIdentity } from '../db/identity.ts';
import { listOldHolds } from '../db/posting.ts';
import { readPrincipalChanges } from '../db/principal-change.ts';
import { readKeptSince } from '../db/retention.ts';
import { findSubscription } from '../db/subscription.ts';
import { signPrincipal } from '../principal/sign.ts';
import { versionOf } from '../principal/version.ts';
import type { Dependencies } from './dependencies.ts';
import { getUsageStatement } from './get-usage-statement.ts';
import { invalid, notFound, requirePageSize } from './input.ts';
import { failureMessage, holdMessage, subscriptionMessage } from './messages.ts';
import { postingMethods } from './postings.ts';

const MOST_ACCOUNTS = 1_000;
const MOST_ENTRIES = 1_000;
const DAY_SECONDS = 86_400;

export function ledgerService(dependencies: Dependencies): ServiceImpl<typeof LedgerService> {
  const { pool, peppers, signingKeys, clock, lastUse, moves, keptDays } = dependencies;
  return {
    ...postingMethods(dependencies),
    /** One refusal for all bad keys. A malformed key causes no query. */
    async authenticate({ bearer }) {
      const digests = isToken(bearer) ? digestsOf(bearer, peppers) : undefined;
      const identity = digests && (await findIdentity(pool, digests));
      if (!identity) throw failWith(failureMessage(CREDENTIAL_REFUSED));
      const { accountId, credentialId, testMode, scopes, subscriptionId, status, plan, pageLimit, validForMs } =
        identity;
      lastUse.record(credentialId, identity.usedAt);
      const move = pepperChangeOf(identity, digests);
      if (move) moves.record(credentialId, move);
      const principal = {
        accountId,
        credentialId,
        testMode,
        scopes: [...scopes],
        subscriptionId: subscriptionId ?? 0n,
        subscriptionStatus: status ?? 'incomplete',
        plan: plan ?? '',
        pageLimit: pageLimit ?? 0,
      };
      return {
        principal: { ...principal, signed: signPrincipal(principal, signingKeys, await clock.now()) },
        version: versionOf(identity, dependencies),
        ...(validForMs !== undefined && { validForMs }),
      };
    },
    /** A version that this history has not reached comes from before a restore. */
    async listPrincipalChanges({ since }) {
      const read = await readPrincipalChanges(pool, since?.version ?? 0n, MOST_ACCOUNTS + 1);
      const { everythingAt, version, accountIds } = read;
      const now = versionOf(read, dependencies);
      const areNamed =
        since?.epoch === now.epoch &&
        since.version >= everythingAt &&
        since.version <= version &&
        accountIds.length <= MOST_ACCOUNTS;
      return areNamed ? { now, accountIds: [...accountIds] } : { now, everything: true };
    },
    getSigningKeys: async () => ({
      keys: signingKeys.map(({ name, publicKey }) => ({ name, publicKey })),
      now: timestampFromDate(await clock.now()),
    }),
    getRetention: async () => ({
      keptSeconds: BigInt(keptDays * DAY_SECONDS),
      keptSince: timestampFromDate(await readKeptSince(pool, keptDays)),
    }),
    async getAllowance({ subscriptionId }) {
      const subscription = await readSnapshot(pool, subscriptionId);
      if (!subscription) throw notFound('subscription', subscriptionId);
      const { plan, status, balance } = subscription;
      return { plan, status, allowance: allowanceOf(balance) };
    },
    async getUsageReport({ subscriptionId }) {
      const subscription = await findSubscription(pool, subscriptionId);
      const current = await readSnapshot(pool, subscriptionId);
      if (!subscription || !current) throw notFound('subscription', subscriptionId);
      const { balance, periodStart: currentPeriodStart, periodEnd: currentPeriodEnd } = current;
      return {
        subscription: subscriptionMessage({ ...subscription, currentPeriodStart, currentPeriodEnd }),
        period: balance.intervals.period.settled,
        week: balance.intervals.week.settled,
        reserved: balance.held,
        allowance: allowanceOf(balance),
      };
    },
    getUsageStatement: (request) => getUsageStatement(dependencies, request),
    async listEntries({ operationIds }) {
      if (operationIds.length > MOST_ENTRIES) throw invalid(`\`operation_ids\` must be at most ${MOST_ENTRIES}.`);
      const entries = await findEntries(pool, operationIds);
      return {
        entries: entries.map(({ identity, settledAt, ...entry }) => ({
          ...entry,
          operationIdentity: identity,
          settledAt: timestampFromDate(settledAt),
        })),
      };
    },
    async listHolds({ olderThan, limit }) {
      const holds = await listOldHolds(pool, olderThan && timestampDate(olderThan), requirePageSize(limit, 100, 1_000));
      return { holds: holds.map(holdMessage), highestOperationId: await readHighestOperationId(pool) };
    },
  };
}
