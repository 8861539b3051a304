import { Code, ConnectError } from '@connectrpc/connect';
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { FailureCode, failureOf } from '../rpc/failure.ts';

const TRACER = 'ces';
const FAILURE_NAMES = new Map<number, string>(
  Object.entries(FailureCode).map(([name, code]) => [code, name.toLowerCase()]),
);
/** What is stored and what strangers send is this, however calls between processes carry their traces. */
const TRACEPARENTS = new W3CTraceContextPropagator();
/** A trace that is never recorded, wherever it is carried. */
export const UNTRACED: SpanContext = { traceId: 'f'.repeat(32), spanId: 'f'.repeat(16), traceFlags: TraceFlags.NONE };

export interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What it continues; default: the active span. */
  readonly parent?: Context;
  /** Spans of other traces that caused it. */
  readonly links?: Link[];
}

/**
 * Runs `work` inside a span that ends with it; what it throws marks the span as failed and is thrown on. In a trace that this
 * process does not record it runs in the span that there is.
 */
export async function inSpan<T>(
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
  parent = start.parent ?? context.active(),
): Promise<T> {
  const unrecorded = unrecordedSpan(parent);
  if (unrecorded) return await context.with(parent, () => work(unrecorded));
  return await inNewSpan(name, start, work, parent);
}

async function inNewSpan<T>(
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
  parent: Context,
): Promise<T> {
  const span = startSpan(name, start, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** The span of a context whose trace this process has decided not to record; what another process decided is for the sampler. */
function unrecordedSpan(parent: Context): Span | undefined {
  const span = trace.getSpan(parent);
  if (!span) return undefined;
  const { traceFlags, isRemote } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 && isRemote !== true ? span : undefined;
}

/** Runs what several calls share: inside the trace of the first, with links to the others. */
export function inSharedSpan<T>(name: string, callers: readonly Context[], work: () => Promise<T>): Promise<T> {
  const [first = context.active(), ...others] = callers;
  if (others.length === 0) return context.with(first, work);
  const attributes = { 'ces.batch.size': callers.length };
  return inSpan(name, { parent: first, links: linksTo(...others), attributes }, work);
}

/** A span that its maker ends. */
export function startSpan(name: string, start: SpanStart, parent = start.parent ?? context.active()): Span {
  return trace.getTracer(TRACER).startSpan(name, start, parent);
}

/** True while a span of this trace is recorded: what costs something to describe is only described then. */
export function isRecording(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false;
}

/** Runs what nobody asked for, a poll or a sweep, outside every trace; what it calls elsewhere stays outside too. */
export function untraced<T>(work: () => T): T {
  return context.with(trace.setSpanContext(ROOT_CONTEXT, UNTRACED), work);
}

/** Only its code: the message of an error may quote what a caller sent. A refusal is an answer and no error of the service. */
function markFailed(span: Span, error: unknown): void {
  if (!span.isRecording()) return;
  const type = errorType(error);
  span.setAttribute('error.type', type);
  const refusal = failureOf(error);
  if (!refusal || refusal.code === FailureCode.SERVICE_UNAVAILABLE)
    span.setStatus({ code: SpanStatusCode.ERROR, message: type });
}

/** What went wrong in one word: the name of a failure, else the code of an error. */
export function errorType(error: unknown): string {
  const failure = failureOf(error);
  if (failure) return FAILURE_NAMES.get(failure.code) ?? 'unspecified';
  if (error instanceof ConnectError) return (Code[error.code] ?? 'unknown').toLowerCase();
  const { code, name } = error as { code?: unknown; name?: string };
  return String(code ?? name ?? 'error');
}

/** The W3C `traceparent` of the active span, to be stored or sent; undefined outside a trace. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span && traceparentOf(span);
}

/** The W3C `traceparent` of a span; undefined where no spans are made, and a caller's stands in for them. */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags, isRemote } = span.spanContext();
  if (isRemote || !isSpanContextValid(span.spanContext())) return undefined;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The context that a `traceparent` names; without one, or with a malformed one, a new trace begins. */
export function contextOf(traceparent: string | null | undefined): Context {
  return traceparent ? TRACEPARENTS.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter) : ROOT_CONTEXT;
}

/** A link to the span that a context carries; none where it carries none. */
export function linksTo(...contexts: readonly Context[]): Link[] {
  return contexts.flatMap((one) => {
    const found = trace.getSpanContext(one);
    return found && isSpanContextValid(found) ? [{ context: found }] : [];
  });
}

export { SpanKind };
