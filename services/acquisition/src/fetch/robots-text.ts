/** What of a robots.txt is read, and what matching its rules may cost. */
interface OwnRules {
  readonly text: string;
  /** Bytes of the rules with wildcards, each of which may be compared with each character of an address. */
  readonly wildcardBytes: number;
}

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
    hasRules = true;
    if (group.size === 0) continue;
    lines.push(rule);
    if (rule.includes('*')) wildcardBytes += Buffer.byteLength(rule);
  }
  return { text: lines.join('\n'), wildcardBytes };
}

/** Without version and capitals, by which programs are told apart. */
function nameOf(userAgent: string): string {
  return (userAgent.split('/', 1)[0] ?? '').trim().toLowerCase();
}
