import { type AcceptedTokens, sha256 } from '../src/rpc/caller-tokens.ts';

export function acceptTokens(tokens: Readonly<Record<string, string>>): AcceptedTokens {
  const all = Object.entries(tokens).map(([name, token]) => ({ name, digest: sha256(token) }));
  return () => all;
}
