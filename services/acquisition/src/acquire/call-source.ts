import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '@ces/chassis/rpc/error';
import { answerQuestion, claimQuestion, releaseQuestion } from '../db/asked.ts';
import {
  type CallKey,
  claimCall,
  failCall,
  findCall,
  finishCall,
  keepAnswer,
  reuseAnswer,
} from '../db/provider-call.ts';
import { TooLarge } from '../extract/text.ts';
import { BudgetUsedUp, FetchFailed } from '../fetch/errors.ts';
import { publicUri } from '../fetch/target.ts';
import { ingestDocument } from '../ingest/ingest-document.ts';
import type { RunCounts } from '../ingest/run-counts.ts';
import { documentName, type FetchTools } from '../run/fetch-source.ts';
import type { Document, FetchRequest, Source } from '../sources/source.ts';
import type { Acquisition, SourceOutcome } from './acquisition.ts';

export interface CallContext {
  readonly acquisition: Acquisition;
  readonly source: Source;
  readonly settings: ReadonlyMap<string, string>;
  readonly counts: RunCounts;
  readonly maxCalls: number;
  readonly rememberMs: number;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const POLL_MS = 50;
/** The process that sent a call this long ago without an answer has ended, in milliseconds; the call is not sent again. */
const LOST_MS = 120_000;
/** A claim on a question this old no longer keeps other operations from asking it, in milliseconds. */
const ASKING_MS = 30_000;
const UNREADABLE = 'its answer could not be read';
const NEVER = new AbortController().signal;

/** One call of an operation: sent once at most, whatever attempts and other operations do. */
export async function callSource(
  tools: FetchTools,
  context: CallContext,
  request: FetchRequest,
): Promise<SourceOutcome> {
  const { acquisition, source } = context;
  const key = { operationId: acquisition.operationId, source: source.name, call: documentName(request) };
  const known = await settleKnown(tools, context, key, request);
  if (known) return known;
  for (;;) {
    const asked = await claimQuestion(tools.pool, source.name, key.call, context.rememberMs, ASKING_MS);
    if (asked.kind === 'claimed') break;
    if (asked.kind === 'answered') {
      await reuseAnswer(tools.pool, key, acquisition.fence, asked.tx);
      return { kind: 'asked' };
    }
    await pause(POLL_MS, undefined, { signal: acquisition.deadline });
  }
  return await sendOnce(tools, context, key, request);
}

/** What an earlier attempt left of the call; undefined: nothing. */
async function settleKnown(
  tools: FetchTools,
  context: CallContext,
  key: CallKey,
  request: FetchRequest,
): Promise<SourceOutcome | undefined> {
  for (;;) {
    const call = await findCall(tools.pool, key);
    if (!call) return undefined;
    if (call.state === 'recorded' || call.state === 'remembered') return { kind: 'asked' };
    if (call.state === 'failed') return { kind: 'failed', reason: call.failure };
    if (call.answer) return await record(tools, context, key, request, { ...call, bytes: call.answer, again: true });
    if (Date.now() - call.sentAt.getTime() > LOST_MS)
      return { kind: 'failed', reason: 'an earlier attempt lost its answer' };
    await pause(POLL_MS, undefined, { signal: context.acquisition.deadline });
  }
}

async function sendOnce(
  tools: FetchTools,
  context: CallContext,
  key: CallKey,
  request: FetchRequest,
): Promise<SourceOutcome> {
  const { pool } = tools;
  const claim = await claimCall(pool, key, context.acquisition.fence, context.maxCalls);
  if (claim !== 'claimed') {
    await releaseQuestion(pool, key.source, key.call);
    return claim === 'budget'
      ? { kind: 'budget' }
      : ((await settleKnown(tools, context, key, request)) ?? { kind: 'asked' });
  }
  try {
    const { bytes, contentType } = await fetchWhole(tools, context, request);
    await keepAnswer(pool, key, bytes, contentType);
    return await record(tools, context, key, request, { bytes, contentType, again: false });
  } catch (error) {
    const reason = reasonOf(error, context.acquisition.deadline);
    const kept = await findCall(pool, key);
    if (!kept?.answer) await failCall(pool, key, reason);
    await releaseQuestion(pool, key.source, key.call);
    if (error instanceof BudgetUsedUp) return { kind: 'budget' };
    if (isTheirs(error) || context.acquisition.deadline.aborted) return { kind: 'failed', reason };
    throw error;
  }
}

async function fetchWhole({ fetcher }: FetchTools, context: CallContext, request: FetchRequest) {
  const { source, settings, counts, acquisition } = context;
  const fetched = await fetcher.fetch({
    source,
    settings,
    request: { ...request, maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES },
    signal: acquisition.deadline,
    onRequest: () => {
      counts.requests += 1;
    },
    onBytes: (bytes) => {
      counts.bytes += bytes;
    },
  });
  if (fetched === 'unchanged') throw new FetchFailed('the source answered 304 to a question without condition');
  const chunks: Uint8Array[] = [];
  for await (const chunk of fetched.document.body) {
    acquisition.deadline.throwIfAborted();
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), contentType: fetched.document.contentType };
}

interface KeptAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** An earlier attempt may have recorded some of it. */
  readonly again: boolean;
}

/** Records an answer that is kept; goes on after the deadline, since it is paid. */
async function record(
  tools: FetchTools,
  { source, settings, counts, acquisition }: CallContext,
  key: CallKey,
  request: FetchRequest,
  { bytes, contentType, again }: KeptAnswer,
): Promise<SourceOutcome> {
  const document: Document = {
    uri: publicUri(request, new URL(request.url)),
    purpose: request.purpose,
    about: request.about ?? {},
    contentType,
    fetchedAt: tools.clock.now(),
    settings,
    body: once(bytes),
  };
  const options = { source, counts, operationId: acquisition.operationId, signal: NEVER };
  const ingested = await ingestDocument(tools, document, options).catch((error: unknown) => {
    if (isTransient(error)) throw error;
    tools.logger.warn({ err: error, source: source.name }, 'the answer of a source could not be read');
    return undefined;
  });
  if (!ingested) {
    await failCall(tools.pool, key, UNREADABLE);
    await releaseQuestion(tools.pool, key.source, key.call);
    return { kind: 'failed', reason: UNREADABLE };
  }
  const { tx, createdIds, knownIds } = ingested;
  const earlier = again ? await broughtBy(tools, acquisition.operationId, knownIds) : [];
  await finishCall(tools.pool, key, tx, [...createdIds, ...earlier]);
  await answerQuestion(tools.pool, key.source, key.call, tx);
  return { kind: 'asked' };
}

/** Those of the known observations that an attempt of the operation recorded first, before it could note them. */
async function broughtBy(
  { record: lookup }: FetchTools,
  operationId: bigint,
  ids: readonly bigint[],
): Promise<bigint[]> {
  const brought: bigint[] = [];
  for (const observationId of ids) {
    const { record: known } = await lookup.getEvidence({ observationId });
    if (known?.operationId === operationId) brought.push(observationId);
  }
  return brought;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function isTheirs(error: unknown): error is Error {
  return error instanceof FetchFailed || error instanceof TooLarge || error instanceof BudgetUsedUp;
}

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (isTheirs(error)) return error.message;
  return deadline.aborted ? 'the source did not answer in time' : 'the call broke down';
}
