import { watchCollectorCertificates } from '../telemetry/collector-certificates.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import type { TelemetryPosition } from '../telemetry/sampler.ts';
import { telemetrySettings } from '../telemetry/settings.ts';
import { ConfigurationError, readSettings } from './settings.ts';

/** A running service: what `start()` returns. */
export interface RunningService extends AsyncDisposable {
  /** The address of its RPC or HTTP server. */
  readonly url: string;
  /** The address of its probes. */
  readonly adminUrl: string;
}

/** A start-up mistake that an operator can mend; printed as one sentence, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const SHUTDOWN_LIMIT_MS = 40_000;

/**
 * Runs a service until SIGTERM or SIGINT, then disposes it within a bound.
 * A parent that started it over IPC gets `{ url, adminUrl }` once and ends it by disconnecting.
 */
export async function runService(
  name: string,
  start: (logger: Logger) => Promise<RunningService>,
  position: TelemetryPosition = 'inside',
): Promise<void> {
  const logger = createLogger(name);
  let shutDown = (_reason: string): void => process.exit(0);
  // From the beginning: the first process of a container is not ended by a signal that it does not handle.
  onShutdown((reason) => shutDown(reason));
  try {
    // Here alone: what only uses a service's words, as the command line does, loads no SDK.
    const { startTelemetry } = await import('../telemetry/start-telemetry.ts');
    const settings = readSettings(telemetrySettings, process.env);
    const telemetry = startTelemetry(name, settings, position);
    watchCollectorCertificates(settings, logger);
    const service = await start(logger);
    shutDown = (reason) => void stop([service, telemetry], reason, logger);
    logger.info({ url: service.url, admin_url: service.adminUrl }, 'serving');
    process.send?.({ url: service.url, adminUrl: service.adminUrl });
  } catch (error) {
    process.stderr.write(`${name}: ${describeStartupFailure(error)}\n`);
    logger.debug({ err: error }, 'start-up failed');
    process.exit(1);
  }
}

function onShutdown(shutDown: (reason: string) => void): void {
  let begun = false;
  const once = (reason: string) => {
    if (begun) return;
    begun = true;
    shutDown(reason);
  };
  process.on('SIGTERM', () => once('SIGTERM'));
  process.on('SIGINT', () => once('SIGINT'));
  process.on('disconnect', () => once('parent gone'));
}

async function stop(parts: readonly AsyncDisposable[], reason: string, logger: Logger): Promise<void> {
  logger.info({ reason }, 'stopping');
  const timer = setTimeout(() => {
    logger.error('shutdown took too long');
    process.exit(1);
  }, SHUTDOWN_LIMIT_MS);
  for (const part of parts) await part[Symbol.asyncDispose]();
  clearTimeout(timer);
  process.exit(0);
}

function describeStartupFailure(error: unknown): string {
  if (error instanceof ConfigurationError) return error.mistakes.join('\n');
  if (error instanceof StartupError) return error.message;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use: choose another one or end the process that holds it.`;
  if (code === 'ECONNREFUSED')
    return `nothing answers at ${address}:${port}: check that the server there runs and that the address is right.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
