import { isSpanContextValid, trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger, pino, type SerializedError } from 'pino';
import { withLogRecords } from './log-records.ts';
import { UNTRACED } from './span.ts';

export type { Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'bearer', 'token', '*.authorization', '*.bearer', '*.token'];

/** One JSON line per decision. Ids go in fields; tokens, query texts and excerpts never appear. */
export function createLogger(
  service: string,
  level = process.env.CES_LOG_LEVEL ?? 'info',
  destination: DestinationStream = withLogRecords(pino.destination({ fd: 1, sync: true })),
): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    formatters: { level: (name: string) => ({ level: name }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: SECRET_FIELDS,
    serializers: { err: withoutRows },
    mixin: traceIds,
  };
  return pino(options, destination);
}

/** Postgres puts the rejected row into `detail`, which may contain a query or an excerpt. */
function withoutRows(error: Error): SerializedError {
  const {
    detail: _row,
    where: _statement,
    details: _failure,
    metadata: _headers,
    ...rest
  } = pino.stdSerializers.err(error);
  return rest as SerializedError;
}

function traceIds(): { trace_id?: string; span_id?: string } {
  const found = trace.getActiveSpan()?.spanContext();
  if (!found || found.traceId === UNTRACED.traceId || !isSpanContextValid(found)) return {};
  return { trace_id: found.traceId, span_id: found.spanId };
}
