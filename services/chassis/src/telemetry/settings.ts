import { integer, oneOf, type SettingValues, share, text, url } from '../service/settings.ts';

export const telemetrySettings = {
  otlpEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'base address of an OTLP collector for traces, metrics and logs; empty: none',
    {
      schemes: ['http', 'https'],
      default: '',
    },
  ),
  traceFile: text('CES_TRACE_FILE', 'file that spans are appended to, one JSON line each; empty: none', {
    default: '',
  }),
  traceRatio: share(
    'CES_TRACE_RATIO',
    'share of calls that are traced where spans go anywhere; OTEL_TRACES_SAMPLER wins',
    { default: '0.05' },
  ),
  traceDelayMs: integer(
    'CES_TRACE_DELAY_MS',
    'longest wait of a span before it is sent, in milliseconds; OTEL_BSP_SCHEDULE_DELAY wins',
    {
      default: '2000',
      min: 10,
    },
  ),
  logLevel: oneOf(
    'CES_LOG_LEVEL',
    'least level that is logged',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    {
      default: 'info',
    },
  ),
};

export type TelemetryConfig = SettingValues<typeof telemetrySettings>;
