const OUTCOMES: readonly (readonly [query: string, outcome: string])[] = [
  [
    'sandbox:planning_unavailable',
    '422 `planning_unavailable`, a stored failure: repeats and polls answer the same, nothing is settled',
  ],
  ['sandbox:failed', '422 `search_failed`, a stored failure like it'],
  [
    'sandbox:slow',
    '202 for half a minute and longer than a call waits, then the result of that query, which finds nothing',
  ],
  [
    'sandbox:limit_reached',
    '429 `request_limit_reached` with `retry_at` in a minute; no operation is created and the key stays free',
  ],
];

export const SANDBOX = [
  'A `ces_test_` credential belongs to an account of its own with the numbers of `builder`, reads the same record and is metered alike. To it the exact queries below answer as written, in company and observation searches, over REST and MCP; to a `ces_live_` credential they are queries like any other.',
  `| query | answer |\n|---|---|\n${OUTCOMES.map(([query, outcome]) => `| \`${query}\` | ${outcome} |`).join('\n')}`,
].join('\n\n');
