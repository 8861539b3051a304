import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Failure, FailureCode, failure } from '@ces/chassis/rpc/failure';
import type { MovementSchema } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import {
  type AccountSchema,
  type CredentialSchema,
  type EntrySchema,
  type HoldSchema,
  HoldState,
  PepperState,
  type SubscriptionSchema,
} from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { HoldState as HoldStateName } from '../allowance/posting.ts';
import type { Refusal } from '../allowance/refusal.ts';
import { type PepperState as PepperStateName, type Peppers, pepperStateOf } from '../credential/pepper.ts';
import type { Account } from '../db/account.ts';
import type { Credential } from '../db/credential.ts';
import type { Limits } from '../db/limits.ts';
import type { PostingRow } from '../db/posting.ts';
import type { Subscription } from '../db/subscription.ts';

export const HOLD_STATES: Readonly<Record<HoldStateName, HoldState>> = {
  held: HoldState.HELD,
  posted: HoldState.POSTED,
  void: HoldState.VOID,
  refused: HoldState.REFUSED,
};

const FAILURE_CODES: Readonly<Record<Refusal['code'], FailureCode>> = {
  request_limit_reached: FailureCode.REQUEST_LIMIT_REACHED,
  invalid_api_key: FailureCode.INVALID_API_KEY,
  subscription_required: FailureCode.SUBSCRIPTION_REQUIRED,
  usage_expired: FailureCode.USAGE_EXPIRED,
};

export function failureMessage({ code, message, retryAt, retryAfterSeconds }: Refusal): Failure {
  return failure(FAILURE_CODES[code], message, {
    ...(retryAt && { retryAt }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Number(retryAfterSeconds) }),
  });
}

export function accountMessage(
  account: Account,
  subscription: Subscription | undefined,
): MessageInitShape<typeof AccountSchema> {
  const { id, name, testMode } = account;
  return {
    id,
    name,
    testMode,
    createdAt: timestampFromDate(account.createdAt),
    ...(subscription && { subscription: subscriptionMessage(subscription) }),
  };
}

export function subscriptionMessage(subscription: Subscription): MessageInitShape<typeof SubscriptionSchema> {
  const { id, accountId, plan, status } = subscription;
  return {
    id,
    accountId,
    plan,
    status,
    ownLimits: limitsMessage(subscription.ownLimits),
    effectiveLimits: limitsMessage(subscription.effectiveLimits),
    currentPeriodStart: timestampFromDate(subscription.currentPeriodStart),
    currentPeriodEnd: timestampFromDate(subscription.currentPeriodEnd),
  };
}

export function limitsMessage(limits: Limits): { [K in keyof Limits]: Exclude<Limits[K], undefined> } {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

const PEPPER_STATES: Readonly<Record<PepperStateName, PepperState>> = {
  newest: PepperState.NEWEST,
  old: PepperState.OLD,
  missing: PepperState.MISSING,
};

export function credentialMessage(credential: Credential, peppers: Peppers): MessageInitShape<typeof CredentialSchema> {
  const { id, accountId, label, prefix, scopes, expiresAt, revokedAt, lastUsedAt } = credential;
  return {
    id,
    accountId,
    label,
    prefix,
    scopes: [...scopes],
    pepper: credential.movedPepper ?? credential.pepper,
    pepperState: PEPPER_STATES[pepperStateOf(credential, peppers)],
    createdAt: timestampFromDate(credential.createdAt),
    ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
    ...(revokedAt && { revokedAt: timestampFromDate(revokedAt) }),
    ...(lastUsedAt && { lastUsedAt: timestampFromDate(lastUsedAt) }),
  };
}

/** Includes the entry. A caller that ignores reversals sees a void hold. */
export function movementMessage(posting: PostingRow): MessageInitShape<typeof MovementSchema> {
  const hold = holdMessage(posting);
  const entry = entryMessage(posting);
  const { reversal } = posting;
  if (!reversal) return { hold, ...(entry && { entry }) };
  const { reason, reversedAt } = reversal;
  return { hold, reversal: { reversedAt: timestampFromDate(reversedAt), reason, ...(entry && { entry }) } };
}

export function holdMessage(posting: PostingRow): MessageInitShape<typeof HoldSchema> {
  const { operationId, identity, subscriptionId = 0n, state, units, createdAt } = posting;
  const about = { operationId, operationIdentity: identity, subscriptionId };
  return { ...about, state: HOLD_STATES[state], units, createdAt: timestampFromDate(createdAt) };
}

function entryMessage(posting: PostingRow): MessageInitShape<typeof EntrySchema> | undefined {
  const { operationId, subscriptionId = 0n, entry } = posting;
  return entry && { operationId, subscriptionId, units: entry.units, settledAt: timestampFromDate(entry.settledAt) };
}
