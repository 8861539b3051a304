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
import { FailureCode, failureOf } from '../failure.ts';

const TRACER = 'ces';
const FAILURE_NAMES = new Map<number, string>(
  Object.entries(FailureCode).map(([name, code]) => [code, name.toLowerCase()]),
);
/** Whatever `OTEL_PROPAGATORS` selects. */
const TRACEPARENTS = new W3CTraceContextPropagator();
/** Unsampled: spans below it are never recorded, in any process. */
export const UNTRACED: SpanContext = { traceId: 'f'.repeat(32), spanId: 'f'.repeat(16), traceFlags: TraceFlags.NONE };

export interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Default: the active context. */
  readonly parent?: Context;
  readonly links?: Link[];
}

/** An error marks the span as failed. Without a recorded trace `work` runs without a span. */
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

/** A remote parent is left to the sampler. */
function unrecordedSpan(parent: Context): Span | undefined {
  const span = trace.getSpan(parent);
  if (!span) return undefined;
  const { traceFlags, isRemote } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 && isRemote !== true ? span : undefined;
}

/** Runs in the first caller's trace, with links to the others. */
export function inSharedSpan<T>(name: string, callers: readonly Context[], work: () => Promise<T>): Promise<T> {
  const [first = context.active(), ...others] = callers;
  if (others.length === 0) return context.with(first, work);
  const attributes = { 'ces.batch.size': callers.length };
  return inSpan(name, { parent: first, links: linksTo(...others), attributes }, work);
}

/** The caller must end the span. */
export function startSpan(name: string, start: SpanStart, parent = start.parent ?? context.active()): Span {
  return trace.getTracer(TRACER).startSpan(name, start, parent);
}

export function isRecording(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false;
}

/** Polls and sweeps, including the calls that they make. */
export function untraced<T>(work: () => T): T {
  return context.with(trace.setSpanContext(ROOT_CONTEXT, UNTRACED), work);
}

/** Only the code: the message may quote the caller's input. A refusal is no service error. */
function markFailed(span: Span, error: unknown): void {
  if (!span.isRecording()) return;
  const type = errorType(error);
  span.setAttribute('error.type', type);
  const refusal = failureOf(error);
  if (!refusal || refusal.code === FailureCode.SERVICE_UNAVAILABLE)
    span.setStatus({ code: SpanStatusCode.ERROR, message: type });
}

export function errorType(error: unknown): string {
  const failure = failureOf(error);
  if (failure) return FAILURE_NAMES.get(failure.code) ?? 'unspecified';
  if (error instanceof ConnectError) return (Code[error.code] ?? 'unknown').toLowerCase();
  const { code, name } = error as { code?: unknown; name?: string };
  return String(code ?? name ?? 'error');
}

export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span && traceparentOf(span);
}

export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags, isRemote } = span.spanContext();
  if (isRemote || !isSpanContextValid(span.spanContext())) return undefined;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Malformed: the root context, which starts a new trace. */
export function contextOf(traceparent: string | null | undefined): Context {
  return traceparent ? TRACEPARENTS.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter) : ROOT_CONTEXT;
}

export function linksTo(...contexts: readonly Context[]): Link[] {
  return contexts.flatMap((one) => {
    const found = trace.getSpanContext(one);
    return found && isSpanContextValid(found) ? [{ context: found }] : [];
  });
}

export { SpanKind };
