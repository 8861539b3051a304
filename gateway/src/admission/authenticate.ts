import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { toPublicError } from '../errors/failure.ts';
import { PublicError } from '../errors/public-error.ts';
import type { Known, PrincipalChanges, PrincipalVersion } from './principal-changes.ts';

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
  /** As of which change; absent: a ledger of the release before, whose answers are not kept. */
  readonly version?: PrincipalVersion | undefined;
}

export interface AuthenticateOptions {
  /** Asks the ledger; throws what the RPC throws. */
  readonly ask: (bearer: string) => Promise<Identity>;
  /** Which answers are still true. */
  readonly changes: PrincipalChanges;
  /** How long an answer counts by itself, from the moment it was asked for, and by a poll of changes, in milliseconds. */
  readonly freshMs: number;
  /** How long it serves when the ledger cannot be asked, in milliseconds. */
  readonly staleMs: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Answers kept at most. */
const CAPACITY = 10_000;
/** Whatever polls say, an answer is asked for again after this time, in milliseconds, less up to half of it at random. */
const LONGEST_KEPT_MS = 60_000;

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
  /** Present once it is answered, where polls can confirm it. */
  known?: Known;
  /** Until when polls may confirm it. */
  readonly keptUntil: number;
  /** When it is known to have been true last. */
  trueAt: number;
}

/**
 * Asks the ledger at most once a second and bearer, however many calls wait, and not at all while polls that began within that second
 * say that nothing of the account has changed, so that a revocation is seen within a second (promise S3, decisions 0021 and 0033); that a
 * credential expires is known beforehand, and no answer outlives it, an outage or not. Answers are kept by a hash of the bearer that is
 * keyed anew in every process, refusals too, which no poll confirms; an outage is never an answer. The cache's own `fetch` does not fit: it
 * joins a question in flight however old it is, and serves a stale answer without a bound on its age.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { changes, freshMs, now } = options;
  const pepper = randomBytes(32).toString('base64');
  const answers = new Answers(options);

  /** What a call that begins now is judged by, and by nothing older. */
  const find = async (bearerHash: string, bearer: string): Promise<Entry> => {
    const begun = now();
    const young = answers.findYoung(bearerHash, begun);
    if (young) return young;
    const kept = answers.findKept(bearerHash, begun);
    if (!kept) return answers.begin(bearerHash, bearer);
    if (begun - changes.polledAt < freshMs) changes.keepFresh();
    else await changes.refresh();
    // Meanwhile the account may have been named, and others may have asked.
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

/** Answers of the ledger by the hash of the bearer, and questions that are under way. */
class Answers {
  readonly #options: AuthenticateOptions;
  readonly #latest = new LRUCache<string, Entry>({ max: CAPACITY });
  readonly #lastGood = new LRUCache<string, Entry>({ max: CAPACITY });
  // Apart, or a stranger's bad keys would push out what good ones are served by during an outage.
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

  /** The latest question, when it was asked so lately that its answer counts at `at` by itself. */
  findYoung(bearerHash: string, at: number): Entry | undefined {
    const latest = this.#latest.get(bearerHash);
    return latest && at - latest.askedAt < this.#options.freshMs ? latest : undefined;
  }

  /** The last answer, when a poll may say that it is true still. */
  findKept(bearerHash: string, at: number): Entry | undefined {
    const good = this.#lastGood.get(bearerHash);
    return good?.known && at < good.keptUntil && this.#options.changes.covers(good.known) ? good : undefined;
  }

  /** Notes that an answer was true when the latest poll began; false: it may be so no longer. */
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
    // An answer that comes late says less than one to a later question.
    if ((this.#lastOf(bearerHash)?.askedAt ?? entry.askedAt) > entry.askedAt) return;
    const isGood = 'principal' in verdict;
    const [its, other] = isGood ? [this.#lastGood, this.#lastRefused] : [this.#lastRefused, this.#lastGood];
    its.set(bearerHash, entry);
    other.delete(bearerHash);
    if (!isGood || !verdict.version) return;
    entry.known = { accountId: verdict.principal.accountId, version: verdict.version, history };
    this.#options.changes.follow(verdict.version);
  }

  #lastOf(bearerHash: string): Entry | undefined {
    return this.#lastGood.get(bearerHash) ?? this.#lastRefused.get(bearerHash);
  }
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
