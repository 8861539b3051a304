import type { Logger } from '../telemetry/log.ts';
import type { TelemetryConfig } from '../telemetry/settings.ts';
import { type WatchOptions, watchCertificates } from '../tls/watched-certificates.ts';
import { exportersOf, SIGNALS, type Signal } from './environment.ts';

/** The `OTEL_EXPORTER_OTLP_*` variables, or those of the signal. Undefined without TLS. */
export function collectorCertificates(signal: Signal, config: TelemetryConfig): WatchOptions | undefined {
  const endpoint = process.env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || config.otlpEndpoint;
  if (!endpoint.startsWith('https:') || !exportersOf(signal, config).includes('otlp')) return undefined;
  const files = {
    cert: fileOf(signal, 'CLIENT_CERTIFICATE'),
    key: fileOf(signal, 'CLIENT_KEY'),
    ca: fileOf(signal, 'CERTIFICATE'),
  };
  const named = Object.values(files).filter(({ path }) => path !== '');
  if (named.length === 0) return undefined;
  const isOwn = named.some(({ setting }) => setting.includes(`_${signal}_`));
  return { name: isOwn ? `otlp ${signal.toLowerCase()}` : 'otlp', files };
}

/** Also reports renewal. Throws ConfigurationError if the files are invalid. */
export function watchCollectorCertificates(config: TelemetryConfig, logger: Logger): void {
  const watched = SIGNALS.map((signal) => collectorCertificates(signal, config)).filter(
    (options) => options !== undefined,
  );
  for (const certificates of new Set(watched.map(watchCertificates))) certificates.reportTo(logger);
}

function fileOf(signal: Signal, what: string): { readonly setting: string; readonly path: string } {
  const usual = `OTEL_EXPORTER_OTLP_${what}`;
  const own = `OTEL_EXPORTER_OTLP_${signal}_${what}`;
  const setting = process.env[own] ? own : usual;
  return { setting, path: process.env[setting] ?? '' };
}
