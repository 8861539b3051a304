import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import { retry } from '@ces/chassis/service/retry';
import type { Dispatcher } from 'undici';
import type { Document, FetchRequest, Source } from '../connector/source.ts';
import type { FetchedDocument } from '../db/fetched-document.ts';
import { chargeRequestBudget, reserveSlot } from '../db/politeness.ts';
import { type Answer, ask } from './ask.ts';
import { plainBody, wireBytes } from './body.ts';
import { BudgetUsedUp, FetchFailed } from './errors.ts';
import { RobotsRules } from './robots.ts';
import { checkTarget, type Mirrors, mirrored, publicUri } from './target.ts';

export interface FetcherOptions {
  readonly pool: Pool;
  readonly agent: Dispatcher;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly mirrors: Mirrors;
}

export interface FetchCall {
  readonly source: Source;
  readonly request: FetchRequest;
  readonly settings: ReadonlyMap<string, string>;
  /** Validators of an earlier answer. Without them the request is unconditional. */
  readonly known?: FetchedDocument | undefined;
  readonly signal: AbortSignal;
  readonly traffic: Traffic;
}

/** Bytes as received, compressed. The fetcher adds to both. */
export interface Traffic {
  requests: number;
  bytes: number;
}

/** Can be read once. `marks` are for the next conditional request. */
export interface Fetched {
  readonly document: Document;
  readonly marks: FetchedDocument;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_REDIRECTS = 5;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** If a source asks for a longer pause, the next run continues. */
const LONGEST_PAUSE_MS = 60_000;
/**
 * robots.txt may impose it. Reserved slots are stored, so a longer one would outlast a correction.
 */
const LONGEST_INTERVAL_MS = 86_400_000;

/** Only where robots.txt, budgets and rate limits allow it, and only at public addresses. */
export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #robots: RobotsRules;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#robots = new RobotsRules((address) => this.#readRobots(address), options.userAgent);
  }

  /** `unchanged` for status 304. Throws FetchFailed, BudgetUsedUp, ForbiddenAddress or TooLarge. */
  async fetch(call: FetchCall): Promise<Fetched | 'unchanged'> {
    const { source, request } = call;
    const address = checkTarget(source, request.url);
    const { answer, at } = await withBackoff(() => this.#followRedirects(call, address), call.signal);
    if (answer.status === 304) return 'unchanged';
    const wire = wireBytes(answer, this.#resumer(call, at, answer));
    const document: Document = {
      uri: publicUri(request, at),
      about: request.about ?? {},
      contentType: answer.headers['content-type'],
      fetchedAt: this.#options.clock.now(),
      settings: call.settings,
      body: plainBody(
        counted(wire, call.traffic),
        answer.headers['content-encoding'],
        request.maxBytes ?? DEFAULT_MAX_BYTES,
      ),
    };
    return { document, marks: { etag: answer.headers.etag, lastModified: answer.headers['last-modified'] } };
  }

  async #followRedirects(call: FetchCall, first: URL): Promise<{ answer: Answer; at: URL }> {
    let at = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await this.#ask(call, at, conditions(call.known));
      const { location } = answer.headers;
      if (!isRedirect(answer.status) || location === undefined) return { answer: accept(answer), at };
      answer.discard();
      at = checkTarget(call.source, location, at);
    }
    throw new FetchFailed(`the source redirected more than ${MAX_REDIRECTS} times`);
  }

  async #ask(call: FetchCall, at: URL, extra: Record<string, string>): Promise<Answer> {
    const { source, signal } = call;
    const { pool, agent, mirrors, userAgent } = this.#options;
    await this.#waitForSlot(source, at, signal);
    if (!(await chargeRequestBudget(pool, source.name, source.politeness.maxRequestsPerDay)))
      throw new BudgetUsedUp('the requests of the day are used up');
    call.traffic.requests += 1;
    const contact = call.settings.get('contact');
    const headers = {
      ...extra,
      'user-agent': contact ? `${userAgent} (${contact})` : userAgent,
      'accept-encoding': 'gzip, deflate, br',
    };
    return await ask(agent, mirrored(at, mirrors), { headers, signal });
  }

  async #waitForSlot({ politeness }: Source, at: URL, signal: AbortSignal): Promise<void> {
    let intervalMs = 1000 / politeness.requestsPerSecond;
    if (politeness.obeysRobots) {
      const { allowed, unreadable, crawlDelay } = await this.#robots.ask(at);
      if (unreadable !== undefined) throw new FetchFailed(`robots.txt of ${at.hostname} cannot be read: ${unreadable}`);
      if (!allowed) throw new FetchFailed(`robots.txt of ${at.hostname} does not allow this address`);
      intervalMs = Math.max(intervalMs, Math.min((crawlDelay ?? 0) * 1000, LONGEST_INTERVAL_MS));
    }
    const mostMs = intervalMs > LONGEST_PAUSE_MS ? LONGEST_PAUSE_MS : undefined;
    const waitMs = await reserveSlot(this.#options.pool, at.hostname, intervalMs, mostMs);
    if (waitMs === Number.POSITIVE_INFINITY)
      throw new FetchFailed(`${at.hostname} allows one request every ${intervalMs / 1000} s: the next run continues`);
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
  }

  /** If-Range makes both parts the same version (RFC 9110 §13.1.5). */
  #resumer(call: FetchCall, at: URL, first: Answer) {
    const mark = strong(first.headers.etag) ?? first.headers['last-modified'];
    if (mark === undefined || first.headers['accept-ranges'] !== 'bytes') return undefined;
    return (from: number) =>
      withBackoff(async () => {
        const answer = await this.#ask(call, at, { range: `bytes=${from}-`, 'if-range': mark });
        if (answer.status === 206) return answer;
        answer.discard();
        throw new FetchFailed('the document changed while it was read');
      }, call.signal);
  }

  async #readRobots(address: URL): Promise<string | 'absent'> {
    const { agent, mirrors, userAgent } = this.#options;
    const signal = AbortSignal.timeout(10_000);
    const answer = await ask(agent, mirrored(address, mirrors), { headers: { 'user-agent': userAgent }, signal });
    if (answer.status !== 200) {
      answer.discard();
      if (answer.status >= 400 && answer.status < 500) return 'absent';
      throw new FetchFailed(`the source answered ${answer.status}`);
    }
    const body = plainBody(answer.bytes, answer.headers['content-encoding'], MAX_ROBOTS_BYTES);
    return await text(body);
  }
}

function withBackoff<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const askedPauseMs = (error: unknown) => (error instanceof FetchFailed ? error.retryAfterMs : undefined);
  return retry(work, {
    attempts: ATTEMPTS,
    firstPauseMs: FIRST_PAUSE_MS,
    signal,
    retryIf: (error) =>
      error instanceof FetchFailed && error.transient && (error.retryAfterMs ?? 0) <= LONGEST_PAUSE_MS,
    askedPauseMs,
  });
}

function conditions(known: FetchedDocument | undefined): Record<string, string> {
  return {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function accept(answer: Answer): Answer {
  if (answer.status === 200 || answer.status === 304) return answer;
  answer.discard();
  const transient = answer.status === 408 || answer.status === 429 || answer.status >= 500;
  const seconds = Number(answer.headers['retry-after']);
  throw new FetchFailed(`the source answered ${answer.status}`, {
    transient,
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  });
}

function strong(etag: string | undefined): string | undefined {
  return etag?.startsWith('"') ? etag : undefined;
}

export async function* counted(bytes: AsyncIterable<Uint8Array>, traffic: Traffic): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    traffic.bytes += chunk.length;
    yield chunk;
  }
}
