import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { toPublicError } from '../errors/failure.ts';
import { PublicError } from '../errors/public-error.ts';

/** Turns a bearer into a principal, or throws a PublicError: 401, or 503 when the ledger cannot be asked. */
export interface Authenticate {
  (bearer: string): Promise<Principal>;
  /** Whether the ledger knew the bearer when it was last asked, as far as this process remembers. */
  knows(bearer: string): boolean;
}

/** What the ledger says of a bearer. */
export interface Identity {
  readonly principal: Principal;
  /** How long it holds at most from the question, in milliseconds: until the credential expires. */
  readonly validForMs: number;
}

export interface AuthenticateOptions {
  /** Asks the ledger; throws what the RPC throws. */
  readonly ask: (bearer: string) => Promise<Identity>;
  /** How long an answer counts, from the moment it was asked for, in milliseconds. */
  readonly freshMs: number;
  /** How long it serves when the ledger cannot be asked, in milliseconds. */
  readonly staleMs: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Answers kept at most. */
const CAPACITY = 10_000;

type Verdict = Identity | { readonly refusal: PublicError };

/** A verdict and when it was asked for. */
interface Settled {
  readonly askedAt: number;
  readonly verdict: Verdict;
}

interface Entry {
  /** When the question was asked; what the ledger says was true then or later. */
  readonly askedAt: number;
  readonly verdict: Promise<Verdict>;
}

/**
 * Asks the ledger at most once a second and bearer, however many calls wait, so that a revocation is seen within that
 * second (promise S3, decision 0039); that a credential expires is known beforehand, and no answer outlives it, an outage
 * or not. Answers are kept by a hash of the bearer that is keyed anew in every process,
 * refusals too; an outage is never an answer. The cache's own `fetch` does not fit: it joins a question in flight
 * however old it is, and serves a stale answer without a bound on its age.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { ask, freshMs, staleMs, now } = options;
  const pepper = randomBytes(32).toString('base64');
  const staleAnswers = metrics.getMeter('ces').createCounter('ces.authentication.stale', {
    description:
      'Calls judged by an answer of the ledger that is older than it should be, since the ledger cannot be asked.',
  });
  staleAnswers.add(0);
  const latest = new LRUCache<string, Entry>({ max: CAPACITY });
  const lastGood = new LRUCache<string, Entry>({ max: CAPACITY });
  // Apart, or a stranger's bad keys would push out what good ones are served by during an outage.
  const lastRefused = new LRUCache<string, Entry>({ max: CAPACITY });

  const lastOf = (bearerHash: string) => lastGood.get(bearerHash) ?? lastRefused.get(bearerHash);

  const begin = (bearerHash: string, bearer: string): Entry => {
    const entry = { askedAt: now(), verdict: judge(ask, bearer) };
    latest.set(bearerHash, entry);
    entry.verdict.then(
      (verdict) => {
        // An answer that comes late says less than one to a later question.
        if ((lastOf(bearerHash)?.askedAt ?? entry.askedAt) > entry.askedAt) return;
        const [its, other] = 'principal' in verdict ? [lastGood, lastRefused] : [lastRefused, lastGood];
        its.set(bearerHash, entry);
        other.delete(bearerHash);
      },
      () => undefined,
    );
    return entry;
  };

  const serveStale = (bearerHash: string, outage: unknown): Promise<Settled> => {
    const stale = lastOf(bearerHash);
    if (!stale || now() - stale.askedAt >= staleMs) throw outage;
    staleAnswers.add(1);
    return settled(stale);
  };

  const hashOf = (bearer: string) => hash('sha256', pepper + bearer, 'base64');

  const authenticate = async (bearer: string) => {
    const bearerHash = hashOf(bearer);
    const known = latest.get(bearerHash);
    const entry = known && now() - known.askedAt < freshMs ? known : begin(bearerHash, bearer);
    const { askedAt, verdict } = await settled(entry).catch((outage) => serveStale(bearerHash, outage));
    if ('refusal' in verdict) throw verdict.refusal;
    if (now() - askedAt >= verdict.validForMs) throw invalidApiKey();
    return verdict.principal;
  };
  return Object.assign(authenticate, { knows: (bearer: string) => lastGood.has(hashOf(bearer)) });
}

/** The bearer of a request's Authorization header; undefined when there is none or it cannot be one. */
export function bearerOf(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct.authorization ?? [];
  return values.length === 1 ? /^bearer +([\w.~+/-]{1,512}=*) *$/i.exec(values[0] ?? '')?.[1] : undefined;
}

async function settled({ askedAt, verdict }: Entry): Promise<Settled> {
  return { askedAt, verdict: await verdict };
}

async function judge(ask: AuthenticateOptions['ask'], bearer: string): Promise<Verdict> {
  try {
    return await ask(bearer);
  } catch (error) {
    if (failureOf(error)?.code === FailureCode.INVALID_API_KEY) return { refusal: invalidApiKey() };
    throw toPublicError(error);
  }
}

/** One body for missing, malformed, unknown, revoked and expired. */
export function invalidApiKey(): PublicError {
  return new PublicError(
    'invalid_api_key',
    'The credential is missing, revoked or expired: send `Authorization: Bearer <ACCESS_TOKEN>`.',
  );
}
