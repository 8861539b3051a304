import robotsModule from 'robots-parser';
import { comparablePath, ownRules } from './robots-text.ts';

/** The package is CommonJS, but its types describe an ES module. */
const parseRobots = robotsModule as unknown as typeof robotsModule.default;
type Robot = ReturnType<typeof parseRobots>;

export interface RobotsAnswer {
  readonly allowed: boolean;
  /** Why robots.txt could not be read, which disallows everything. */
  readonly unreadable: string | undefined;
  readonly crawlDelay: number | undefined;
}

/** Returns `absent` for a 4xx status. Throws if it is unreadable. */
export type ReadRobots = (address: URL) => Promise<string | 'absent'>;

const KEEP_MS = 3_600_000;
/** A host whose robots.txt is unreachable is disallowed for this long (RFC 9309 §2.3.1.4). */
const KEEP_UNREADABLE_MS = 60_000;
const MOST_ORIGINS = 1_000;
/** Wildcard bytes times address characters. Beyond it matching is too slow: disallowed. */
const MOST_COMPARISONS = 20_000_000;

interface Known {
  readonly robots: Robot | undefined;
  readonly wildcardBytes: number;
  readonly unreadable?: string;
  readonly until: number;
}

export class RobotsRules {
  readonly #read: ReadRobots;
  readonly #userAgent: string;
  readonly #known = new Map<string, Promise<Known>>();

  constructor(read: ReadRobots, userAgent: string) {
    this.#read = read;
    this.#userAgent = userAgent;
  }

  async ask(address: URL): Promise<RobotsAnswer> {
    const { robots, unreadable, wildcardBytes } = await this.#rulesOf(address);
    const path = comparablePath(address.pathname + address.search);
    if (unreadable !== undefined || wildcardBytes * path.length > MOST_COMPARISONS)
      return { allowed: false, unreadable, crawlDelay: undefined };
    return {
      allowed: robots?.isAllowed(address.origin + path, this.#userAgent) ?? true,
      unreadable,
      crawlDelay: robots?.getCrawlDelay(this.#userAgent),
    };
  }

  async #rulesOf(address: URL): Promise<Known> {
    const reading = this.#known.get(address.origin);
    const known = reading && (await reading);
    if (known && known.until > performance.now()) return known;
    if (this.#known.get(address.origin) !== reading) return await this.#rulesOf(address);
    return await this.#refetch(address);
  }

  async #refetch(address: URL): Promise<Known> {
    const reading = this.#readRules(address);
    if (this.#known.size >= MOST_ORIGINS) this.#known.clear();
    this.#known.set(address.origin, reading);
    return await reading;
  }

  async #readRules(address: URL): Promise<Known> {
    const at = new URL('/robots.txt', address);
    const nothing = { robots: undefined, wildcardBytes: 0 };
    try {
      const text = await this.#read(at);
      const until = performance.now() + KEEP_MS;
      if (text === 'absent') return { ...nothing, until };
      const own = ownRules(text, this.#userAgent);
      return { robots: parseRobots(at.href, own.text), wildcardBytes: own.wildcardBytes, until };
    } catch (error) {
      const unreadable = error instanceof Error ? error.message : String(error);
      return { ...nothing, unreadable, until: performance.now() + KEEP_UNREADABLE_MS };
    }
  }
}
