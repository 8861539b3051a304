import dns from 'node:dns';
import net from 'node:net';
import { type ChannelOptions, experimental, Metadata, status } from '@grpc/grpc-js';

export const WATCHED_NAME = 'ces';

/** In milliseconds; bounds the time until a new pod gets calls. */
const LOOKUP_EVERY_MS = 10_000;
/** Least time between two lookups, in milliseconds, even if connections keep breaking. */
const LOOKUP_GAP_MS = 1_000;

/**
 * Resolves a name to all addresses, periodically. The DNS resolver of grpc-js resolves again only
 * after a lost connection, so a new pod would get no calls.
 */
class WatchedName implements experimental.Resolver {
  readonly #host: string;
  readonly #port: number;
  readonly #listener: experimental.ResolverListener;
  #known = '';
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #destroyed = false;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener, _options: ChannelOptions) {
    const { host, port } = experimental.splitHostPort(target.path) ?? { host: target.path };
    this.#host = host;
    this.#port = port ?? 443;
    this.#listener = listener;
  }

  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path;
  }

  updateResolution(): void {
    this.#destroyed = false;
    this.#lookUpIn(Math.max(0, this.#lookedUpAt + LOOKUP_GAP_MS - performance.now()));
  }

  /**
   * grpc-js also destroys the resolver of an idle channel. The next call then needs a full report.
   */
  destroy(): void {
    this.#destroyed = true;
    this.#known = '';
    clearTimeout(this.#timer);
  }

  #lookUpIn(ms: number): void {
    clearTimeout(this.#timer);
    if (ms === 0) void this.#lookUp();
    else this.#timer = setTimeout(() => void this.#lookUp(), ms).unref();
  }

  async #lookUp(): Promise<void> {
    this.#lookedUpAt = performance.now();
    const found = await addressesOf(this.#host).catch((error: unknown) => error as Error);
    if (this.#destroyed) return;
    const failed = found instanceof Error;
    if (failed) this.#reportFailure(found);
    else this.#report(found);
    if (net.isIP(this.#host) === 0) this.#lookUpIn(failed && this.#known === '' ? LOOKUP_GAP_MS : LOOKUP_EVERY_MS);
  }

  #report(addresses: readonly string[]): void {
    const known = addresses.join();
    if (known === this.#known) return;
    this.#known = known;
    const endpoints = addresses.map((host) => ({ addresses: [{ host, port: this.#port }] }));
    this.#listener(experimental.statusOrFromValue(endpoints), {}, null, '');
  }

  /** Known addresses stay in use, so an unreachable name server does not break connections. */
  #reportFailure(error: Error): void {
    if (this.#known !== '') return;
    const details = `the name ${this.#host} cannot be resolved: ${error.message}`;
    const failure = { code: status.UNAVAILABLE, details, metadata: new Metadata() };
    this.#listener(experimental.statusOrFromError(failure), {}, null, '');
  }
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await dns.promises.lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))].toSorted();
}

experimental.registerResolver(WATCHED_NAME, WatchedName);
