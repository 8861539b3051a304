import { rm } from 'node:fs/promises';
import {
  CALLER_TOKEN_HEADER,
  identify,
  type KnownCallers,
  SERVICE_ACCOUNT_TOKEN_HEADER,
} from '@ces/chassis/rpc/caller';
import { acceptTokens } from '@ces/chassis/rpc/caller-tokens';
import { acceptedServiceAccounts } from '@ces/chassis/rpc/service-accounts/accepted-accounts';
import { serviceAccountSettings } from '@ces/chassis/rpc/service-accounts/settings';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { TestIssuer } from '../../../support/issuer.ts';
import { CALLER_TOKEN } from './messages.ts';

/** Shown in turn, each is checked anew. */
const MORE_THAN_REMEMBERED = 1_200;
const ROUNDS = 4;

/** What knowing the caller of a call costs, in microseconds of the processor: the median of the rounds, all ways in each. */
export async function identityCosts(): Promise<Map<string, number>> {
  const callerTokens = acceptTokens({ gateway: 'token-of-another', operations: CALLER_TOKEN });
  const [rsa, elliptic] = [
    await acceptAccount('RS256', MORE_THAN_REMEMBERED),
    await acceptAccount('ES256', MORE_THAN_REMEMBERED),
  ];
  const showing = (tokens: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    tokens.map((token) => new Headers({ ...more, [SERVICE_ACCOUNT_TOKEN_HEADER]: token }));
  const pair = { [CALLER_TOKEN_HEADER]: CALLER_TOKEN };
  const both = { callerTokens, serviceAccounts: rsa.accepted };
  const ways: readonly (readonly [string, KnownCallers, readonly Headers[], number])[] = [
    ['token of the pair', { callerTokens }, [new Headers(pair)], 40_000],
    ['token of a ServiceAccount', both, showing(rsa.tokens.slice(0, 1)), 40_000],
    ['both', both, showing(rsa.tokens.slice(0, 1), pair), 40_000],
    ['… checked at each call, RS256', both, showing(rsa.tokens), MORE_THAN_REMEMBERED],
    [
      '… checked at each call, ES256',
      { callerTokens, serviceAccounts: elliptic.accepted },
      showing(elliptic.tokens),
      MORE_THAN_REMEMBERED,
    ],
  ];
  const seen = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, known, headers, times] of ways)
      seen.set(name, [...(seen.get(name) ?? []), await microseconds(known, headers, times)]);
  for (const { accepted, folder } of [rsa, elliptic]) {
    await accepted[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
  return new Map([...seen].map(([name, costs]) => [name, costs.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0]));
}

async function microseconds(known: KnownCallers, headers: readonly Headers[], times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    const caller = await identify(known, headers[time % headers.length] ?? new Headers());
    if (caller?.name !== 'operations') throw new Error('the caller is not known');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** Tokens of the ServiceAccount of operations, and what takes them; keys come from a file in `folder`. */
export async function acceptAccount(algorithm: 'RS256' | 'ES256', count: number) {
  await using issuer = await TestIssuer.start();
  await issuer.addKey('of-the-bench', algorithm);
  issuer.publish('of-the-bench');
  const { env, folder } = await issuer.settingsOfFile('ces-ledger', 'operations=ces:ces-operations');
  const own = { account: 'ces-operations', endsIn: 86_400 };
  const tokens = await Promise.all(Array.from({ length: count }, () => issuer.token(own)));
  const accepted = acceptedServiceAccounts(readSettings(serviceAccountSettings, env), createLogger('bench', 'error'));
  if (!accepted) throw new Error('no account is accepted');
  return { accepted, tokens, folder };
}
