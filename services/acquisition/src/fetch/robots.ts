import robotsModule from 'robots-parser';

/** The package is CommonJS; its types speak of an ES module. */
const parseRobots = robotsModule as unknown as typeof robotsModule.default;
type Robot = ReturnType<typeof parseRobots>;

/** What a host asks of programs. */
export interface RobotsAnswer {
  readonly allowed: boolean;
  /** Seconds between requests; undefined: it asks for none. */
  readonly crawlDelay: number | undefined;
}

/** Reads the robots.txt of an origin: its text, `absent` (4xx), or `silent` when it could not be read. */
export type ReadRobots = (address: URL) => Promise<string | 'absent' | 'silent'>;

const KEEP_MS = 3_600_000;
/** A host whose robots.txt cannot be read is not asked for anything meanwhile (RFC 9309). */
const KEEP_SILENT_MS = 60_000;
const MOST_ORIGINS = 1_000;

interface Known {
  readonly robots: Robot | undefined;
  readonly silent: boolean;
  readonly until: number;
}

/** The rules of hosts, remembered for an hour. */
export class RobotsRules {
  readonly #read: ReadRobots;
  readonly #userAgent: string;
  readonly #known = new Map<string, Promise<Known>>();

  constructor(read: ReadRobots, userAgent: string) {
    this.#read = read;
    this.#userAgent = userAgent;
  }

  async ask(address: URL): Promise<RobotsAnswer> {
    const { robots, silent } = await this.#rulesOf(address);
    if (silent) return { allowed: false, crawlDelay: undefined };
    return {
      allowed: robots?.isAllowed(address.href, this.#userAgent) ?? true,
      crawlDelay: robots?.getCrawlDelay(this.#userAgent),
    };
  }

  async #rulesOf(address: URL): Promise<Known> {
    const reading = this.#known.get(address.origin);
    const known = reading && (await reading);
    if (known && known.until > performance.now()) return known;
    if (this.#known.get(address.origin) !== reading) return await this.#rulesOf(address);
    return await this.#readAnew(address);
  }

  async #readAnew(address: URL): Promise<Known> {
    const reading = this.#readRules(address);
    if (this.#known.size >= MOST_ORIGINS) this.#known.clear();
    this.#known.set(address.origin, reading);
    return await reading;
  }

  async #readRules(address: URL): Promise<Known> {
    const at = new URL('/robots.txt', address);
    const text = await this.#read(at).catch(() => 'silent' as const);
    if (text === 'silent') return { robots: undefined, silent: true, until: performance.now() + KEEP_SILENT_MS };
    const robots = text === 'absent' ? undefined : parseRobots(at.href, text);
    return { robots, silent: false, until: performance.now() + KEEP_MS };
  }
}
