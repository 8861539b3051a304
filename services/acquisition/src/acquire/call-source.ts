import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Document, FetchRequest, SearchPlan, Source } from '../connector/source.ts';
import {
  type CallId,
  claimCall,
  failCall,
  findCall,
  finishCall,
  keepAnswer,
  reuseAnswer,
} from '../db/provider-call.ts';
import { answerQuestion, claimQuestion, releaseQuestion } from '../db/source-question.ts';
import { BudgetUsedUp, FetchFailed, isSourceFailure } from '../fetch/errors.ts';
import { documentName, publicUri } from '../fetch/target.ts';
import { ingestDocument } from '../ingest/ingest-document.ts';
import type { RunCounts } from '../ingest/run-counts.ts';
import type { FetchTools } from '../run/fetch-source.ts';

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const POLL_MS = 50;
/** After this an unanswered call is lost: its process has ended. It is not sent again. */
const LOST_MS = 120_000;
/** A claim on a question no longer blocks other operations. */
const ASKING_MS = 30_000;

export interface Acquisition {
  readonly operationId: bigint;
  readonly fence: bigint;
  readonly plan: SearchPlan;
  /** Aborts when the time is used up. Answers that arrived by then are still recorded. */
  readonly deadline: AbortSignal;
}

export type SourceOutcome =
  | { readonly kind: 'asked' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface CallContext {
  readonly acquisition: Acquisition;
  readonly source: Source;
  readonly settings: ReadonlyMap<string, string>;
  readonly counts: RunCounts;
  readonly maxCalls: number;
  readonly cacheTtlMs: number;
}

export async function callSource(
  tools: FetchTools,
  context: CallContext,
  request: FetchRequest,
): Promise<SourceOutcome> {
  const { acquisition, source } = context;
  const callId = { operationId: acquisition.operationId, source: source.name, call: documentName(request) };
  const known = await settleKnown(tools, context, callId, request);
  if (known) return known;
  for (;;) {
    const asked = await claimQuestion(tools.pool, source.name, callId.call, context.cacheTtlMs, ASKING_MS);
    if (asked.kind === 'claimed') break;
    if (asked.kind === 'answered') {
      await reuseAnswer(tools.pool, callId, acquisition.fence, asked.tx);
      return { kind: 'asked' };
    }
    await pause(POLL_MS, undefined, { signal: acquisition.deadline });
  }
  return await sendOnce(tools, context, callId, request);
}

async function settleKnown(
  tools: FetchTools,
  context: CallContext,
  callId: CallId,
  request: FetchRequest,
): Promise<SourceOutcome | undefined> {
  for (const from = performance.now(); ; ) {
    const call = await findCall(tools.pool, callId);
    if (!call) return undefined;
    if (call.state === 'recorded' || call.state === 'cached') return { kind: 'asked' };
    if (call.state === 'failed') return { kind: 'failed', reason: call.failure };
    if (call.answer)
      return await recordAnswer(tools, context, callId, request, { ...call, bytes: call.answer, again: true });
    // The clock of the database may have been set back, so the time waited here counts too.
    if (Math.max(call.ageMs, performance.now() - from) > LOST_MS)
      return { kind: 'failed', reason: 'an earlier attempt lost its answer' };
    await pause(POLL_MS, undefined, { signal: context.acquisition.deadline });
  }
}

async function sendOnce(
  tools: FetchTools,
  context: CallContext,
  callId: CallId,
  request: FetchRequest,
): Promise<SourceOutcome> {
  const { pool } = tools;
  const claim = await claimCall(pool, callId, context.acquisition.fence, context.maxCalls);
  if (claim !== 'claimed') {
    await releaseQuestion(pool, callId.source, callId.call);
    return claim === 'budget'
      ? { kind: 'budget' }
      : ((await settleKnown(tools, context, callId, request)) ?? { kind: 'asked' });
  }
  try {
    const { bytes, contentType } = await fetchWhole(tools, context, request);
    await keepAnswer(pool, callId, bytes, contentType);
    return await recordAnswer(tools, context, callId, request, { bytes, contentType, again: false });
  } catch (error) {
    const reason = reasonOf(error, context.acquisition.deadline);
    const kept = await findCall(pool, callId);
    if (!kept?.answer) await failCall(pool, callId, reason);
    await releaseQuestion(pool, callId.source, callId.call);
    if (error instanceof BudgetUsedUp) return { kind: 'budget' };
    if (isSourceFailure(error) || context.acquisition.deadline.aborted) return { kind: 'failed', reason };
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
    traffic: counts,
  });
  if (fetched === 'unchanged') throw new FetchFailed('the source answered 304 to a question without condition');
  const { body, contentType } = fetched.document;
  return { bytes: await buffer(body), contentType };
}

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (isSourceFailure(error) || error instanceof BudgetUsedUp) return error.message;
  return deadline.aborted ? 'the source did not answer in time' : 'the call broke down';
}

interface KeptAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** An earlier attempt may have recorded part of the answer. */
  readonly again: boolean;
}

const UNREADABLE = 'its answer could not be read';
const NEVER = new AbortController().signal;

/** Continues after the deadline, because the call is already paid for. */
async function recordAnswer(
  tools: FetchTools,
  { source, settings, counts, acquisition }: CallContext,
  callId: CallId,
  request: FetchRequest,
  { bytes, contentType, again }: KeptAnswer,
): Promise<SourceOutcome> {
  const document: Document = {
    uri: publicUri(request, new URL(request.url)),
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
    await failCall(tools.pool, callId, UNREADABLE);
    await releaseQuestion(tools.pool, callId.source, callId.call);
    return { kind: 'failed', reason: UNREADABLE };
  }
  const { tx, createdIds, knownIds } = ingested;
  const earlier = again ? await broughtBy(tools, acquisition.operationId, knownIds) : [];
  await finishCall(tools.pool, callId, tx, [...createdIds, ...earlier]);
  await answerQuestion(tools.pool, callId.source, callId.call, tx);
  return { kind: 'asked' };
}

/** Known observations that an earlier attempt recorded but did not note on the call. */
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
