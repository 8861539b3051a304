import { type AnyValue, context, type Logger, logs, ROOT_CONTEXT, SeverityNumber } from '@opentelemetry/api';
import type { DestinationStream } from 'pino';

const SEVERITIES = new Map([
  ['trace', { severityNumber: SeverityNumber.TRACE, severityText: 'TRACE' }],
  ['debug', { severityNumber: SeverityNumber.DEBUG, severityText: 'DEBUG' }],
  ['info', { severityNumber: SeverityNumber.INFO, severityText: 'INFO' }],
  ['warn', { severityNumber: SeverityNumber.WARN, severityText: 'WARN' }],
  ['error', { severityNumber: SeverityNumber.ERROR, severityText: 'ERROR' }],
  ['fatal', { severityNumber: SeverityNumber.FATAL, severityText: 'FATAL' }],
]);

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly trace_id?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
}

/** Exports the redacted line, so records contain no secrets either. */
export function withLogRecords(lines: DestinationStream): DestinationStream {
  const records = logs.getLogger('ces');
  return {
    write(line) {
      lines.write(line);
      if (records.enabled()) emit(records, line);
    },
  };
}

function emit(records: Logger, line: string): void {
  const { level, time, msg, trace_id, err, ...rest } = JSON.parse(line) as Line & Record<string, AnyValue>;
  const { service: _resource, pid: _process, span_id: _span, ...attributes } = rest;
  records.emit({
    timestamp: new Date(time),
    ...SEVERITIES.get(level),
    ...(msg !== undefined && { body: msg }),
    attributes: { ...attributes, ...(err && describeError(err)) },
    context: trace_id === undefined ? ROOT_CONTEXT : context.active(),
  });
}

function describeError({ type, message, stack, ...more }: NonNullable<Line['err']>): Record<string, AnyValue> {
  return {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': stack,
    ...(Object.keys(more).length > 0 && { exception: more }),
  };
}
