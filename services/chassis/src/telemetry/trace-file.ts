import { appendFile } from 'node:fs/promises';
import type { HrTime, Link } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export interface TraceLine {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_id: string | undefined;
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly error: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly trace_id: string; readonly span_id: string }[];
}

const KINDS = ['internal', 'server', 'client', 'producer', 'consumer'];
const ERROR = 2;

/** Each process drops later spans. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** Several processes may share one file. */
export function createTraceFile(path: string): SpanExporter {
  let writing = Promise.resolve();
  let written = 0;
  return {
    export(spans, done) {
      const lines = spans.map((span) => `${JSON.stringify(toLine(span))}\n`).join('');
      written += lines.length;
      if (written > LIMIT_BYTES) {
        done({ code: ExportResultCode.FAILED, error: new Error(`${path} is full`) });
        return;
      }
      writing = writing
        .then(() => appendFile(path, lines, { mode: 0o600 }))
        .then(
          () => done({ code: ExportResultCode.SUCCESS }),
          (error) => done({ code: ExportResultCode.FAILED, error }),
        );
    },
    forceFlush: () => writing,
    shutdown: () => writing,
  };
}

function toLine(span: ReadableSpan): TraceLine {
  const { traceId, spanId } = span.spanContext();
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_id: span.parentSpanContext?.spanId,
    service: String(span.resource.attributes['service.name']),
    name: span.name,
    kind: KINDS[span.kind] ?? 'internal',
    start_ms: milliseconds(span.startTime),
    end_ms: milliseconds(span.endTime),
    error: span.status.code === ERROR ? (span.status.message ?? 'error') : undefined,
    attributes: span.attributes,
    links: span.links.map(({ context }: Link) => ({ trace_id: context.traceId, span_id: context.spanId })),
  };
}

function milliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}
