import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';

const shownKey = createContextKey<Principal | undefined>(undefined, { description: 'whose bearer the headers show' });

export function headerPrincipalOf(context: HandlerContext): Principal | undefined {
  return context.values.get(shownKey);
}

export function setHeaderPrincipal(context: HandlerContext, principal: Principal): void {
  context.values.set(shownKey, principal);
}
