import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'bearer', 'token', '*.authorization', '*.bearer', '*.token'];

/** One JSON line a decision on standard output; ids as fields, never a token, a query text or an excerpt. */
export function createLogger(service: string, level = process.env.CES_LOG_LEVEL ?? 'info'): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: SECRET_FIELDS,
  });
}
