import { isTransient } from '@ces/chassis/rpc/error';
import type { Document, FetchRequest } from '../connector/source.ts';
import { type CallId, failCall, finishCall } from '../db/provider-call.ts';
import { answerQuestion, releaseQuestion } from '../db/source-question.ts';
import { publicUri } from '../fetch/target.ts';
import { ingestDocument } from '../ingest/ingest-document.ts';
import type { FetchTools } from '../run/fetch-source.ts';
import type { CallContext, SourceOutcome } from './acquisition.ts';

interface KeptAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** An earlier attempt may have recorded part of the answer. */
  readonly again: boolean;
}

const UNREADABLE = 'its answer could not be read';
const NEVER = new AbortController().signal;

/** Continues after the deadline, because the call is already paid for. */
export async function recordAnswer(
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
