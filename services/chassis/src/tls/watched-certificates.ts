import { metrics } from '@opentelemetry/api';
import type { Logger } from '../telemetry/log.ts';
import { type CertificateFiles, type Certificates, readCertificates } from './read-certificates.ts';

const REFRESH_MS = 5_000;

export interface WatchOptions {
  readonly name: string;
  readonly files: CertificateFiles;
  readonly refreshMs?: number | undefined;
}

const watched = new Map<string, WatchedCertificates>();

/** One watch per process and options. Throws ConfigurationError for invalid files. */
export function watchCertificates(options: WatchOptions): WatchedCertificates {
  const key = JSON.stringify(options);
  const found = watched.get(key) ?? new WatchedCertificates(options);
  watched.set(key, found);
  return found;
}

/**
 * Invalid files, such as half of a pair, keep the last valid ones. Compares contents, because
 * Kubernetes swaps a symbolic link.
 */
export class WatchedCertificates {
  readonly #options: WatchOptions;
  readonly #listeners = new Set<(renewed: Certificates) => void>();
  readonly #loggers = new Set<Logger>();
  #current: Certificates;
  #complaint = '';

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#current = readCertificates(options.files);
    setInterval(() => this.#refresh(), options.refreshMs ?? REFRESH_MS).unref();
    observeExpiry(options.name, () => this.#current);
  }

  get current(): Certificates {
    return this.#current;
  }

  onRenewal(listener: (renewed: Certificates) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  reportTo(logger: Logger): Disposable {
    this.#loggers.add(logger);
    return { [Symbol.dispose]: () => void this.#loggers.delete(logger) };
  }

  #refresh(): void {
    const { name, files } = this.#options;
    try {
      const read = readCertificates(files);
      this.#complaint = '';
      if (isSame(read, this.#current)) return;
      this.#current = read;
      for (const renew of this.#listeners) renew(read);
      for (const logger of this.#loggers)
        logger.info({ certificate: name, expires_at: read.ownExpiresAt?.toISOString() }, 'certificates renewed');
    } catch (error) {
      const complaint = String(error);
      if (complaint === this.#complaint) return;
      this.#complaint = complaint;
      for (const logger of this.#loggers)
        logger.error({ err: error }, 'renewed certificates are of no use; those before go on being shown');
    }
  }
}

function isSame(one: Certificates, other: Certificates): boolean {
  return (['cert', 'key', 'ca'] as const).every((part) => String(one[part]) === String(other[part]));
}

/** Seconds since 1970; part `own` for this process, `authority` for the CAs. */
function observeExpiry(name: string, current: () => Certificates): void {
  const gauge = metrics.getMeter('ces').createObservableGauge('ces.certificate.expires_at', {
    unit: 's',
    description: 'When a certificate in use ends, as seconds since 1970.',
  });
  gauge.addCallback((result) => {
    const { ownExpiresAt, authorityExpiresAt } = current();
    const parts = { own: ownExpiresAt, authority: authorityExpiresAt };
    for (const [part, at] of Object.entries(parts))
      if (at) result.observe(at.getTime() / 1000, { certificate: name, part });
  });
}
