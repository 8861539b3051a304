import { type AcceptedTokens, sha256 } from '../src/rpc/caller-tokens.ts';
import type { Operator } from '../src/rpc/operator.ts';

export function acceptTokens(tokens: Readonly<Record<string, string>>): AcceptedTokens {
  const all = Object.entries(tokens).map(([name, token]) => ({ name, digest: sha256(token) }));
  return () => all;
}

export function acceptOperator(token: string): readonly Operator[] {
  return [{ name: 'admin', role: 'operator', digest: sha256(token) }];
}

interface CallerTokens {
  /** Token of the operator `admin`. */
  readonly admin?: string;
  /** Token of a program. */
  readonly [program: string]: string | undefined;
}

export function callerSettings({ admin, ...programs }: CallerTokens) {
  const digests = Object.entries(programs).map(([name, token = '']) => `${name}=${digestOf(token)}`);
  return {
    CES_RPC_CALLER_DIGESTS: digests.join(','),
    ...(admin !== undefined && { CES_RPC_OPERATORS: `admin:operator=${digestOf(admin)}` }),
  };
}

function digestOf(token: string): string {
  return sha256(token).toString('hex');
}
