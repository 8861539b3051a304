import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { FailureCode, fail } from '../failure.ts';
import { type AcceptedTokens, findAccepted, sha256 } from './caller-tokens.ts';
import {
  findOperator,
  includesRole,
  mayChange,
  type Operator,
  REASON_HEADER,
  type Role,
  readReason,
  roleNeeded,
} from './operator.ts';
import type { AcceptedServiceAccounts } from './service-accounts/accepted-accounts.ts';

export const CALLER_TOKEN_HEADER = 'x-ces-caller-token';
/** Services without the issuer's keys accept this token too. */
export const SERVICE_ACCOUNT_TOKEN_HEADER = 'x-ces-service-account-token';

export const ANYONE = 'anyone';

/** The caller name of all operators. */
const ADMIN = 'admin';

/** Service type name -> method name or `*` -> programs and the lowest operator role. */
export type CallerPolicy = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const OPEN_SERVICES: ReadonlySet<string> = new Set(['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection']);

export interface Actor {
  readonly name: string;
  /** Undefined for a program. */
  readonly role: Role | undefined;
  readonly reason: string | undefined;
}

const actorKey = createContextKey<Actor>(
  { name: ANYONE, role: undefined, reason: undefined },
  { description: 'who calls' },
);

export function isOpen(method: DescMethod): boolean {
  return OPEN_SERVICES.has(method.parent.typeName);
}

export function callerOf(context: HandlerContext): string {
  const { name, role } = actorOf(context);
  return role === undefined ? name : ADMIN;
}

export function actorOf(context: HandlerContext): Actor {
  return context.values.get(actorKey);
}

export interface KnownCallers {
  readonly callerTokens: AcceptedTokens;
  readonly serviceAccounts?: AcceptedServiceAccounts | undefined;
  readonly operators?: readonly Operator[];
  /** Health and reflection also answer callers without a token. */
  readonly introspection?: boolean;
}

/**
 * Admits a call before its body is read. Throws CALLER_UNAUTHENTICATED, CALLER_NOT_ALLOWED, or
 * INVALID_REQUEST if an operator changes something without a reason.
 */
export async function admitCaller(
  context: HandlerContext,
  policy: CallerPolicy,
  known: KnownCallers,
): Promise<Actor & Identity> {
  const { requestHeader: header, method } = context;
  const caller = authorizeCaller(policy, known, await identify(known, header), method);
  const reason = caller.role ? readReason(header.get(REASON_HEADER)) : '';
  if (reason === '' && caller.role && mayChange(method))
    throw fail(
      FailureCode.INVALID_REQUEST,
      `Say why: an operator who calls ${method.name} gives a reason (ces --reason, CES_REASON; the header ${REASON_HEADER}).`,
    );
  const actor = { ...caller, reason: reason || undefined };
  context.values.set(actorKey, actor);
  return actor;
}

interface Identity extends Pick<Actor, 'name' | 'role'> {
  readonly by: 'token' | 'service_account' | undefined;
}

export function authorizeCaller(
  policy: CallerPolicy,
  known: Pick<KnownCallers, 'introspection'>,
  caller: Identity | undefined,
  method: DescMethod,
): Identity {
  if (!caller)
    throw fail(
      FailureCode.CALLER_UNAUTHENTICATED,
      `The token of this caller is not known to ${method.parent.typeName}; check CES_RPC_TOKENS (ces: CES_RPC_TOKEN) of the caller, or for a ServiceAccount the log here.`,
    );
  const service = policy[method.parent.typeName];
  const allowed = service?.[method.name] ?? service?.['*'] ?? [];
  const open = (isOpen(method) && (known.introspection || caller.name !== ANYONE)) || allowed.includes(ANYONE);
  if (!(open || isAllowed(caller, allowed))) throw refusal(caller.role && roleNeeded(allowed), method);
  return open ? { ...caller, name: caller.role ? ADMIN : caller.name, role: undefined } : caller;
}

function isAllowed({ name, role }: Pick<Actor, 'name' | 'role'>, allowed: readonly string[]): boolean {
  if (role === undefined) return !name.includes(':') && allowed.includes(name);
  const needed = roleNeeded(allowed);
  return needed !== undefined && includesRole(role, needed);
}

function refusal(needed: Role | undefined, method: DescMethod): Error {
  const { parent, name } = method;
  if (isOpen(method))
    return fail(FailureCode.CALLER_NOT_ALLOWED, `${parent.typeName} wants a token here, see CES_RPC_INTROSPECTION.`);
  const hint = needed ? `it needs the role ${needed}` : 'its token is not one of a caller that may';
  return fail(FailureCode.CALLER_NOT_ALLOWED, `This caller may not call ${parent.typeName}/${name}; ${hint}.`);
}

/**
 * `anyone` without tokens; undefined if none is valid or the two name different callers. An invalid
 * one does not spoil the other, because the caller could omit it.
 */
export async function identify(known: KnownCallers, header: Headers): Promise<Identity | undefined> {
  const token = header.get(CALLER_TOKEN_HEADER);
  const accountToken = header.get(SERVICE_ACCOUNT_TOKEN_HEADER);
  const byToken = token === null ? undefined : ownerOf(known, token);
  if (accountToken === null) return token === null ? { name: ANYONE, role: undefined, by: undefined } : byToken;
  const program = await known.serviceAccounts?.find(accountToken);
  if (program === undefined) return byToken;
  const isOne = byToken === undefined || (byToken.name === program && byToken.role === undefined);
  return isOne ? { name: program, role: undefined, by: 'service_account' } : undefined;
}

function ownerOf({ callerTokens, operators = [] }: KnownCallers, token: string): Identity | undefined {
  const digest = sha256(token);
  const operator = findOperator(operators, digest);
  if (operator) return { name: operator.name, role: operator.role, by: undefined };
  const program = findAccepted(callerTokens, digest);
  return program === undefined ? undefined : { name: program, role: undefined, by: 'token' };
}
