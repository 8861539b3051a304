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

/** Returns the product token in lower case, by which groups match (RFC 9309 §2.2.1). */
function nameOf(userAgent: string): string {
  return (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase();
}

export function comparablePath(path: string): string {
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
