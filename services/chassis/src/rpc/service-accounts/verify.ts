import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { IssuerKeys, KeySet } from './key-set.ts';
import type { ServiceAccountSettings } from './settings.ts';

/** Kubernetes signs with one of these; each key names its algorithm. */
const ALGORITHMS = ['RS256', 'ES256'];
const CLOCK_TOLERANCE_S = 10;

interface Proof {
  readonly kind: 'proven';
  readonly caller: string;
  readonly expiresAt: number;
  readonly keys: KeySet;
}

interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
}

type Rules = Pick<ServiceAccountSettings, 'serviceAccounts' | 'serviceAccountIssuer' | 'serviceAccountAudience'>;

/** An unknown key fetches the issuer's keys. Never rejects because of a token's content. */
export async function verifyToken(token: string, rules: Rules, issuer: IssuerKeys): Promise<Proof | Refusal> {
  const known = issuer.current;
  const verdict = known && (await verifyWith(known, token, rules));
  if (verdict && verdict !== 'unknown key') return verdict;
  const renewed = await issuer.renew();
  if (!renewed) return refused('no key of its issuer is known yet');
  const again = renewed === known ? 'unknown key' : await verifyWith(renewed, token, rules);
  return again === 'unknown key' ? refused('its key is none of the issuer’s') : again;
}

async function verifyWith(keys: KeySet, token: string, rules: Rules): Promise<Proof | Refusal | 'unknown key'> {
  const { serviceAccountIssuer: issuer, serviceAccountAudience: audience, serviceAccounts } = rules;
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    // Another audience could replay the token here.
    if ([payload.aud].flat().length !== 1) return refused('it is for other programs too');
    const caller = serviceAccounts.get(payload.sub ?? '');
    if (caller === undefined) return refused(`${quoted(payload.sub)} is no caller of CES_RPC_SERVICE_ACCOUNTS`);
    const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * 1_000;
    return { kind: 'proven', caller, expiresAt, keys };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key';
    return refused(reasonOf(error, rules));
  }
}

function refused(reason: string): Refusal {
  return { kind: 'refused', reason };
}

function reasonOf(error: unknown, rules: Rules): string {
  if (error instanceof errors.JWTExpired) return `it ended at ${instant(error.payload.exp)}`;
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error.claim, error.payload, rules);
  if (error instanceof errors.JOSEAlgNotAllowed) return `its algorithm is none of ${ALGORITHMS.join(', ')}`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is not of the key that it names';
  if (error instanceof errors.JOSEError) return 'it is no signed token';
  return `it cannot be checked (${error})`;
}

function claimReason(claim: string, payload: JWTPayload, rules: Rules): string {
  if (claim === 'iss') return `its issuer is ${quoted(payload.iss)} and not ${quoted(rules.serviceAccountIssuer)}`;
  if (claim === 'aud') return `it is for ${quoted(payload.aud)} and not for ${quoted(rules.serviceAccountAudience)}`;
  if (claim === 'nbf') return `it begins at ${instant(payload.nbf)}`;
  return `its claim ${claim} is missing or of no use`;
}

function quoted(value: unknown): string {
  return JSON.stringify(value ?? '').slice(0, 200);
}

function instant(seconds: number | undefined): string {
  const date = new Date((seconds ?? Number.NaN) * 1_000);
  return Number.isNaN(date.getTime()) ? 'no instant' : date.toISOString();
}
