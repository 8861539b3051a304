import { integer, oneOf, type SettingValues, share, text, url } from '../settings.ts';

export const telemetrySettings = {
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', 'base address of an OTLP collector', {
    schemes: ['http', 'https'],
    default: '',
  }),
  traceFile: text('CES_TRACE_FILE', 'file to which spans are appended', {
    default: '',
  }),
  traceRatio: share('CES_TRACE_RATIO', 'share of calls that are traced', {
    default: '0.05',
  }),
  traceDelayMs: integer('CES_TRACE_DELAY_MS', 'longest delay before a span is exported', { default: '2000', min: 10 }),
  logLevel: oneOf(
    'CES_LOG_LEVEL',
    'lowest level that is logged',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    { default: 'info' },
  ),
};

export type TelemetryConfig = SettingValues<typeof telemetrySettings>;
