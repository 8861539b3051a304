import type { Logger } from '../telemetry/log.ts';
import { observeExpiry } from './expiry.ts';
import { type CertificateFiles, type Certificates, readCertificates } from './read-certificates.ts';

/** How often files are read again, in milliseconds. */
const REFRESH_MS = 5_000;

export interface WatchOptions {
  /** What the certificates are for, as the metric of their expiry names it. */
  readonly name: string;
  readonly files: CertificateFiles;
  /** How often the files are read again, in milliseconds. */
  readonly refreshMs?: number | undefined;
}

const watched = new Map<string, WatchedCertificates>();

/** One watch a process for the same files. Throws ConfigurationError when they are of no use now. */
export function watchCertificates(options: WatchOptions): WatchedCertificates {
  const key = JSON.stringify(options);
  const found = watched.get(key) ?? new WatchedCertificates(options);
  watched.set(key, found);
  return found;
}

/**
 * Certificates whose files are read again while the process runs. Files that are of no use, half of a pair among them, change nothing:
 * what was read before goes on being shown, until a later look finds better ones. Contents are compared, not times: a Secret of
 * Kubernetes changes by another folder behind a link.
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

  /** Calls back with every later state of the files. */
  onRenewal(listener: (renewed: Certificates) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Says in this log from now on what was renewed, and what could not be. */
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
