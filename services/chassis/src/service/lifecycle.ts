import { watchCollectorCertificates } from '../exporting/collector-certificates.ts';
import type { TelemetryPosition } from '../exporting/sampler.ts';
import { ConfigurationError, readSettings } from '../settings.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { telemetrySettings } from '../telemetry/settings.ts';

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly adminUrl: string;
}

export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const SHUTDOWN_LIMIT_MS = 40_000;

/**
 * Runs a service until SIGTERM or SIGINT. A parent connected by IPC receives `{ url, adminUrl }`
 * once and ends the service by disconnecting.
 */
export async function runService(
  name: string,
  start: (logger: Logger) => Promise<RunningService>,
  position: TelemetryPosition = 'inside',
): Promise<void> {
  const logger = createLogger(name);
  let shutDown = (_reason: string): void => process.exit(0);
  // The kernel ignores unhandled signals for PID 1 of a container.
  onShutdown((reason) => shutDown(reason));
  try {
    // Programs that share code with a service do not load the SDK.
    const { startTelemetry } = await import('../exporting/start-telemetry.ts');
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
