import { hash, timingSafeEqual } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { FailureCode, fail } from './failure.ts';

export const CALLER_TOKEN_HEADER = 'x-ces-caller-token';

/** The caller name of a call without a caller token. */
export const ANYONE = 'anyone';

/** Service type name -> method name, or `*` for the rest of the service -> names of the callers that may call it. */
export type CallerPolicy = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const OPEN_SERVICES: ReadonlySet<string> = new Set(['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection']);

const callerKey = createContextKey<string>(ANYONE, { description: 'name of the calling service' });

/** The name of the service that calls, proven by its token; `anyone` without one. */
export function callerOf(context: HandlerContext): string {
  return context.values.get(callerKey);
}

/** Lets a call in before its body is read, with the name of its caller; throws CALLER_NOT_ALLOWED otherwise. */
export function admitCaller(context: HandlerContext, policy: CallerPolicy, tokens: ReadonlyMap<string, string>): void {
  const token = context.requestHeader.get(CALLER_TOKEN_HEADER);
  context.values.set(callerKey, authorizeCaller(policy, tokens, token, context.method));
}

/** The proven name of the caller; throws CALLER_NOT_ALLOWED when its token is unknown or does not allow the method. */
export function authorizeCaller(
  policy: CallerPolicy,
  tokens: ReadonlyMap<string, string>,
  token: string | null,
  method: DescMethod,
): string {
  const caller = token === null ? ANYONE : nameOf(tokens, token);
  const service = policy[method.parent.typeName];
  const allowed = service?.[method.name] ?? service?.['*'] ?? [];
  const open = OPEN_SERVICES.has(method.parent.typeName) || allowed.includes(ANYONE);
  if (caller === undefined || !(open || allowed.includes(caller)))
    throw fail(
      FailureCode.CALLER_NOT_ALLOWED,
      `This caller may not call ${method.parent.typeName}/${method.name}; check CES_RPC_TOKEN of the caller.`,
    );
  return caller;
}

function nameOf(tokens: ReadonlyMap<string, string>, token: string): string | undefined {
  const digest = sha256(token);
  for (const [name, expected] of digestsOf(tokens)) if (timingSafeEqual(expected, digest)) return name;
  return undefined;
}

const known = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, Buffer>>();

/** Made once for all calls of a server; tokens do not change while it runs. */
function digestsOf(tokens: ReadonlyMap<string, string>): ReadonlyMap<string, Buffer> {
  const digests = known.get(tokens) ?? new Map([...tokens].map(([name, token]) => [name, sha256(token)]));
  known.set(tokens, digests);
  return digests;
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
