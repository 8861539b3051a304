import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { toPublicError } from '../errors/failure.ts';
import { PublicError } from '../errors/public-error.ts';
import type { Known, PrincipalChanges, PrincipalVersion } from './principal-changes.ts';

/** Throws PublicError: 401, or 503 when the ledger does not answer. */
export interface Authenticate {
  (bearer: string): Promise<Principal>;
  /** As far as this process remembers. */
  knows(bearer: string): boolean;
}

export interface Identity {
  readonly principal: Principal;
  /** Milliseconds from the request until the credential expires. */
  readonly validForMs: number;
  readonly version: PrincipalVersion;
}

export interface AuthenticateOptions {
  readonly ask: (bearer: string) => Promise<Identity>;
  readonly changes: PrincipalChanges;
  /** Validity of an answer or a poll, from its request. */
  readonly freshMs: number;
  /** Validity of an answer while the ledger does not answer. */
  readonly staleMs: number;
  readonly now: () => number;
}

const CAPACITY = 10_000;
/** Whatever polls say, less up to half at random so that answers do not expire together. */
const LONGEST_KEPT_MS = 60_000;

type Verdict = Identity | { readonly refusal: PublicError };

interface Settled {
  readonly askedAt: number;
  readonly verdict: Verdict;
}

interface Entry {
  /** The ledger's answer was true then or later. */
  readonly askedAt: number;
  readonly verdict: Promise<Verdict>;
  known?: Known;
  readonly keptUntil: number;
  trueAt: number;
}

/**
 * Asks once a second for each bearer, unless polls of that second report no change of the account,
 * so a revocation takes a second (promise S3, decisions 0021 and 0033). No answer outlives its
 * credential. Keys of the cache are keyed hashes. Polls do not confirm refusals, and an outage is
 * never cached.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { changes, freshMs, now } = options;
  const pepper = randomBytes(32).toString('base64');
  const answers = new Answers(options);

  const find = async (bearerHash: string, bearer: string): Promise<Entry> => {
    const begun = now();
    const young = answers.findYoung(bearerHash, begun);
    if (young) return young;
    const kept = answers.findKept(bearerHash, begun);
    if (!kept) return answers.begin(bearerHash, bearer);
    if (begun - changes.polledAt < freshMs) changes.keepFresh();
    else await changes.refresh();
    // Meanwhile a poll may have named the account, or another call may have asked.
    if (begun - changes.polledAt >= freshMs || !answers.confirm(kept))
      return answers.findYoung(bearerHash, begun) ?? answers.begin(bearerHash, bearer);
    return kept;
  };

  const hashOf = (bearer: string) => hash('sha256', pepper + bearer, 'base64');

  const authenticate = async (bearer: string) => {
    const bearerHash = hashOf(bearer);
    const entry = await find(bearerHash, bearer);
    const { askedAt, verdict } = await settled(entry).catch((outage) => answers.serveStale(bearerHash, outage));
    if ('refusal' in verdict) throw verdict.refusal;
    if (now() - askedAt >= verdict.validForMs) throw invalidApiKey();
    return verdict.principal;
  };
  return Object.assign(authenticate, { knows: (bearer: string) => answers.knows(hashOf(bearer)) });
}

class Answers {
  readonly #options: AuthenticateOptions;
  readonly #latest = new LRUCache<string, Entry>({ max: CAPACITY });
  readonly #lastGood = new LRUCache<string, Entry>({ max: CAPACITY });
  // Separate: bad keys would evict the good keys that an outage needs.
  readonly #lastRefused = new LRUCache<string, Entry>({ max: CAPACITY });
  readonly #stale = metrics.getMeter('ces').createCounter('ces.authentication.stale', {
    description:
      'Calls judged by an answer of the ledger that is older than it should be, since the ledger cannot be asked.',
  });

  constructor(options: AuthenticateOptions) {
    this.#options = options;
    this.#stale.add(0);
  }

  knows(bearerHash: string): boolean {
    return this.#lastGood.has(bearerHash);
  }

  findYoung(bearerHash: string, at: number): Entry | undefined {
    const latest = this.#latest.get(bearerHash);
    return latest && at - latest.askedAt < this.#options.freshMs ? latest : undefined;
  }

  findKept(bearerHash: string, at: number): Entry | undefined {
    const good = this.#lastGood.get(bearerHash);
    return good?.known && at < good.keptUntil && this.#options.changes.covers(good.known) ? good : undefined;
  }

  /** False if the answer may have changed. */
  confirm(entry: Entry): boolean {
    const { changes } = this.#options;
    if (!entry.known || !changes.covers(entry.known)) return false;
    entry.trueAt = Math.max(entry.trueAt, changes.polledAt);
    return true;
  }

  begin(bearerHash: string, bearer: string): Entry {
    const { ask, changes, now } = this.#options;
    const askedAt = now();
    const keptUntil = askedAt + LONGEST_KEPT_MS * (1 - Math.random() / 2);
    const { history } = changes;
    const entry: Entry = { askedAt, verdict: judge(ask, bearer), keptUntil, trueAt: askedAt };
    this.#latest.set(bearerHash, entry);
    entry.verdict.then(
      (verdict) => this.#keep(bearerHash, entry, verdict, history),
      () => undefined,
    );
    return entry;
  }

  async serveStale(bearerHash: string, outage: unknown): Promise<Settled> {
    const { changes, now, staleMs } = this.#options;
    const stale = this.#lastOf(bearerHash);
    if (!stale || (stale.known && changes.isOutdated(stale.known))) throw outage;
    this.confirm(stale);
    if (now() - stale.trueAt >= staleMs) throw outage;
    this.#stale.add(1);
    return settled(stale);
  }

  #keep(bearerHash: string, entry: Entry, verdict: Verdict, history: number): void {
    // The answer of a later request is the newer one.
    if ((this.#lastOf(bearerHash)?.askedAt ?? entry.askedAt) > entry.askedAt) return;
    const isGood = 'principal' in verdict;
    const [its, other] = isGood ? [this.#lastGood, this.#lastRefused] : [this.#lastRefused, this.#lastGood];
    its.set(bearerHash, entry);
    other.delete(bearerHash);
    if (!isGood) return;
    entry.known = { accountId: verdict.principal.accountId, version: verdict.version, history };
    this.#options.changes.follow(verdict.version);
  }

  #lastOf(bearerHash: string): Entry | undefined {
    return this.#lastGood.get(bearerHash) ?? this.#lastRefused.get(bearerHash);
  }
}

/** Undefined when the header is missing or malformed. */
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

/** One body for missing, malformed, unknown, revoked and expired keys. */
export function invalidApiKey(): PublicError {
  return new PublicError(
    'invalid_api_key',
    'The credential is missing, revoked or expired: send `Authorization: Bearer <ACCESS_TOKEN>`.',
  );
}
