/** What of a robots.txt is read, and what matching its rules may cost. */
interface OwnRules {
  readonly text: string;
  /** Bytes of the rules with wildcards, each of which may be compared with each character of an address. */
  readonly wildcardBytes: number;
}

/** Lines of a group: every other, such as `Sitemap`, belongs to none and ends none (RFC 9309, 2.2.4). */
const RULES: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay']);

/**
 * The groups of a robots.txt that are for everybody or for us, each program named once: a parser keeps every rule of a group for
 * every program that it names, so that half of the one and half of the other cost their product (promise S14).
 */
export function ownRules(text: string, userAgent: string): OwnRules {
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

/** Without version and capitals, by which programs are told apart. */
function nameOf(userAgent: string): string {
  return (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase();
}

/** A path and query as rules are compared with them: `*` and `$` mean nothing there but themselves. */
export function comparablePath(path: string): string {
  return sameEncoding(path).replace(/[*$]/g, encoded);
}

/** The path of a rule: a `$` that does not end it is a character like others. */
function comparableRule(path: string): string {
  return sameEncoding(path).replace(/\$(?=.)/g, encoded);
}

/** One spelling of each octet (RFC 9309, 2.2.2): percent-encoded where RFC 3986 reserves it or it is outside ASCII, else not. */
function sameEncoding(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
