interface Entry {
  readonly title: string;
  /** Both texts are HTML and inserted without escaping. */
  readonly text: string;
  readonly url: string;
}

/** gateway/docs/contract.md has the full text of each promise. */
export const PROMISES: readonly Entry[] = [
  {
    title: 'One key, one charge',
    text: 'Retry as often as you like, after a lost answer, over another surface, a month later: the same key is the same operation, charged once.',
    url: '/docs/keys-and-retries',
  },
  {
    title: 'An exact allowance',
    text: 'Windows roll to the second. With nothing in flight, <code>retry_at</code> is the very second at which the call is let in.',
    url: '/docs/units',
  },
  {
    title: 'Withdrawn means gone',
    text: 'Withdrawn evidence leaves the next answer, replays of paid ones included, and the answer says how many companies it cost.',
    url: '/docs/evidence',
  },
  {
    title: 'The price before the call',
    text: 'A call can never cost more than one request unit and <code>limit</code> companies. What it did cost stands in the answer.',
    url: '/docs/units',
  },
  {
    title: 'Coverage that is honest',
    text: 'Every answer says that it is partial, why it stopped where it did, and what it lacks. Nothing found is not proof of absence.',
    url: '/docs/evidence',
  },
];

export const INTERFACES: readonly Entry[] = [
  { title: 'Explorer', text: 'Search, look and export in the browser. Nothing to install.', url: '/explore' },
  {
    title: 'TypeScript',
    text: '<code>@ces/client</code> keeps keys through retries, waits, iterates pages.',
    url: '/docs/typescript',
  },
  { title: 'MCP', text: 'Two tools for Claude, Cursor, VS Code and every other client.', url: '/docs/mcp' },
  { title: 'gRPC', text: 'From Go, Python or any language, metered like everyone.', url: '/docs/grpc' },
];
