export interface Program {
  /** One sentence without its full stop. */
  readonly does: string;
  /** Usual duration on two idle cores with default options. */
  readonly takes: string;
  /** Runs in the repository root, followed by the caller's options. */
  readonly command: readonly string[];
}

const DRILLS = {
  race: drill('race', 'identical and differing submissions of one idempotency key, raced over three gateways', '5 min'),
  chaos: drill(
    'chaos',
    'load under kills, lost answers, wrong clocks and lost streams, then every check; --only R7 takes the faults of a promise',
    '--minutes',
  ),
  rolling: drill('rolling', 'every process replaced under load, or with --from an upgrade and its rollback', '5 min'),
  survival: drill('survival', 'each edge of each service loses its connections for ever, under load', '22 min'),
  restore: drill('restore', 'each database alone restored to an earlier moment and repaired', '12 min'),
  pooler: drill('pooler', 'the tests of all services through PgBouncer in transaction mode; builds it first', '15 min'),
  hostile: drill('hostile', 'the longest hostile inputs everywhere, and how long they hold each process', '15 min'),
  compose: drill('compose', 'the tests of the interface against the stack of deploy/compose.yaml', '5 min'),
};

const BENCHES = {
  search: bench(
    'search',
    'speed of each index and of the search RPC, by one client and by crowds while evidence arrives',
    '15 min',
    ['--max-old-space-size=8192'],
  ),
  ledger: bench('ledger', 'reserve and settle at the ledger beside plain commits', '5 min'),
  overhead: bench(
    'overhead',
    'what the service adds to a bare handler on the same Postgres, and what a call leaves on disks',
    '5 min',
  ),
  overload: bench('overload', 'what one flooding account costs another', '10 min'),
  history: bench('history', 'every task and request with two years behind it, beside an empty database', '15 min'),
  relevance: bench('relevance', 'rankings over REST against judged queries', '5 min'),
  'relevance-vectors': bench(
    'relevance-vectors',
    'every set of judged queries on the index alone, by words and with vectors',
    '15 min',
  ),
  'relevance-probability': bench(
    'relevance-probability',
    'how far probabilities of relevance can be trusted, and what a least one keeps and loses',
    '15 min',
  ),
};

const CHECKS = {
  explorer: {
    does: 'every flow of the explorer in a real Chromium on a stack of its own, pictures, axe, times and size; needs Chromium',
    takes: '6 min',
    command: ['node', 'test/lab/explorer/check.ts'],
  },
  'client-python': {
    does: 'the Python client: lint, types, generated files, wheel and sdist, examples and tests on a stack, with each Python on the path; --generate writes the generated files',
    takes: '6 min',
    command: ['node', 'test/lab/client-python/check.ts'],
  },
  pages: {
    does: 'every page in Chromium: three widths, two schemes, axe, policy, keyboard, a call from the reference; --screenshots DIR keeps pictures',
    takes: '7 min',
    command: ['node', 'test/lab/pages/check.ts'],
  },
  mcp: {
    does: 'the official conformance runner and the inspector on a running gateway',
    takes: '2 min',
    command: ['test/lab/mcp/check'],
  },
  image: {
    does: 'a release into a registry of its own: what its images hold and list, its signatures, and tampering; needs Go',
    takes: '10 min',
    command: ['node', 'test/lab/supply/image.ts'],
  },
  'chart-check': {
    does: 'every value of the chart by its renders, schemas of four versions of Kubernetes, and its alerts; needs Go',
    takes: '2 min',
    command: ['node', 'deploy/chart/src/check/main.ts'],
  },
  cluster: {
    does: 'the chart on the cluster of KUBECONFIG: installed by the guides, upgraded, scaled, its certificates renewed, its broker and databases lost; needs kubectl, helm and psql',
    takes: '50 min',
    command: ['node', 'test/lab/kubernetes/main.ts'],
  },
  node: {
    does: 'a Kubernetes of one node with network policies in force, built without pulling images, for a command such as npm run lab -- cluster; needs root and Go',
    takes: 'a minute, the first time an hour',
    command: ['node', 'test/lab/node/main.ts'],
  },
};

export const PROGRAMS: ReadonlyMap<string, Program> = new Map(Object.entries({ ...DRILLS, ...BENCHES, ...CHECKS }));

function drill(name: string, does: string, takes: string): Program {
  return { does, takes, command: ['node', `test/lab/drills/${name}.ts`] };
}

function bench(name: string, does: string, takes: string, options: readonly string[] = []): Program {
  return { does, takes, command: ['node', ...options, `test/lab/benches/${name}.ts`] };
}
