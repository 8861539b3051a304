interface Entry {
  readonly title: string;
  /** HTML, inserted without escaping. */
  readonly text: string;
  readonly url: string;
}

/** Full text: gateway/docs/contract.md. */
export const PROMISES: readonly Entry[] = [
  {
    title: 'One key, one charge',
    text: 'Repeat a call after a lost answer, over another interface or a month later: the same key is the same operation, charged once.',
    url: '/docs/keys-and-retries',
  },
  {
    title: 'An exact allowance',
    text: 'Windows roll to the second. With no call in flight, <code>retry_at</code> is the exact second from which the next call is accepted.',
    url: '/docs/units',
  },
  {
    title: 'Withdrawn means gone',
    text: 'The next answer omits withdrawn evidence, and so does the replay of a paid one. It says how many companies are withheld.',
    url: '/docs/evidence',
  },
  {
    title: 'The price before the call',
    text: 'A search never costs more than one request unit and <code>limit</code> delivered units. The answer states the actual cost.',
    url: '/docs/units',
  },
  {
    title: 'Honest coverage',
    text: 'Every answer says that it is partial, why the search stopped and what is missing. An empty answer does not prove absence.',
    url: '/docs/evidence',
  },
];

export const INTERFACES: readonly Entry[] = [
  { title: 'Explorer', text: 'Search, look and export in the browser. Nothing to install.', url: '/explore' },
  {
    title: 'TypeScript',
    text: '<code>@ces/client</code> retries with the same key, waits for results and reads pages.',
    url: '/docs/typescript',
  },
  {
    title: 'Python',
    text: '<code>ces-client</code> does the same, synchronous or with asyncio.',
    url: '/docs/first-search',
  },
  { title: 'MCP', text: 'Two tools for Claude, Cursor, VS Code and every other client.', url: '/docs/mcp' },
  { title: 'gRPC', text: 'From Go or any other language, at the same price.', url: '/docs/grpc' },
];
