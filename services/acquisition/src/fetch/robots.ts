import robotsModule from 'robots-parser';

/** The package is CommonJS, but its types describe an ES module. */
const parseRobots = robotsModule as unknown as typeof robotsModule.default;
type Robot = ReturnType<typeof parseRobots>;

interface RobotsAnswer {
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

interface OwnRules {
  readonly text: string;
  /** Rules with wildcards: each may be compared with every character of an address. */
  readonly wildcardBytes: number;
}

/** Any other line, such as `Sitemap`, belongs to no group and ends none (RFC 9309 §2.2.4). */
const RULES: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay']);

/**
 * Groups for `*` or our token, named once: the parser copies rules for every name, in quadratic
 * memory (promise S14).
 */
function ownRules(text: string, userAgent: string): OwnRules {
  const wanted = new Set(['*', nameOf(userAgent)]);
  const lines: string[] = [];
  let wildcardBytes = 0;
  let group = new Set<string>();
  let hasRules = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [rule = ''] = line.split('#', 1);
    const end = rule.indexOf(':');
    const field = rule.slice(0, Math.max(0, end)).trim().toLowerCase();
    if (field === '') continue;
    if (field === 'user-agent') {
      if (hasRules) group = new Set();
      hasRules = false;
      const name = nameOf(rule.slice(end + 1));
      if (!wanted.has(name) || group.has(name)) continue;
      group.add(name);
      lines.push(`User-agent: ${name}`);
      continue;
    }
    if (!RULES.has(field)) continue;
    hasRules = true;
    if (group.size === 0) continue;
    const own = `${field}: ${comparableRule(rule.slice(end + 1).trim())}`;
    lines.push(own);
    if (own.includes('*')) wildcardBytes += Buffer.byteLength(own);
  }
  return { text: lines.join('\n'), wildcardBytes };
}

/** Returns the product token in lower case, by which groups match (RFC 9309 §2.2.1). */
function nameOf(userAgent: string): string {
  return (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase();
}

function comparablePath(path: string): string {
  return sameEncoding(path).replace(/[*$]/g, encoded);
}

/** A `$` inside a path is literal. */
function comparableRule(path: string): string {
  return sameEncoding(path).replace(/\$(?=.)/g, encoded);
}

/** RFC 9309 §2.2.2: percent-encoded if RFC 3986 reserves it or it is outside ASCII. */
function sameEncoding(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
