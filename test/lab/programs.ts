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
  chaos: drill('chaos', 'load under kills, lost answers, wrong clocks and lost streams, then every check', '--minutes'),
  volume: drill('volume', 'every fault that one promise asks for, as often as it asks for it', 'minutes to hours'),
  rolling: drill('rolling', 'every process replaced under load, or with --from an upgrade and its rollback', '5 min'),
  survival: drill('survival', 'each edge of each service loses its connections for ever, under load', '22 min'),
  'opensearch-change-over': drill(
    'opensearch-change-over',
    'from Postgres to OpenSearch and back by the steps of the page, under calls, new evidence and withdrawals; assembles it first',
    '5 min',
  ),
  'opensearch-drills': drill(
    'opensearch-drills',
    'a cluster of OpenSearch loses nodes, room and patience under searches and writes; assembles it first',
    '15 min',
  ),
  replicas: drill(
    'replicas',
    'how calls are spread over replicas, and what is lost when one comes, falls silent or is replaced',
    '6 min',
  ),
  'long-calls': drill(
    'long-calls',
    'calls of 5 to 110 seconds by every way into every kind of server, while connections end at their ages',
    '3 min',
  ),
  'scale-to-zero': drill('scale-to-zero', 'each service in turn without a process under load', '4 min'),
  restore: drill('restore', 'each database alone restored to an earlier moment and repaired', '12 min'),
  clock: drill('clock', 'the clock of the database set back and forward under load; needs libfaketime', '8 min'),
  hostile: drill('hostile', 'the longest hostile inputs everywhere, and how long they hold each process', '15 min'),
  credentials: drill('credentials', 'how soon every gateway sees a changed credential or plan', '5 min'),
  allowance: drill('allowance', 'the tests of test/allowance for longer', '5 min'),
  migrations: drill('migrations', 'tests of the code before the last migrations on the schema of today', '10 min'),
  pooler: drill('pooler', 'the tests of all services through PgBouncer in transaction mode; builds it first', '15 min'),
  compose: drill('compose', 'the tests of the interface against the stack of deploy/compose.yaml', '5 min'),
};

const BENCHES = {
  search: bench(
    'search',
    'speed of index and search RPC beside tantivy, SQLite FTS5 and MiniSearch; builds the first if cargo is there',
    '15 min',
    ['--max-old-space-size=8192'],
  ),
  freshness: bench('freshness', 'time from the commit of a record to the first search that finds it', '1 min'),
  rebuild: bench(
    'rebuild',
    'how fast partitions fill OpenSearch and rebuild its index, and what searches and new evidence see of it',
    '2 min',
  ),
  import: bench('import', 'observations recorded a second', '2 min'),
  ledger: bench('ledger', 'reserve and settle at the ledger beside plain commits', '5 min'),
  overhead: bench('overhead', 'what the service adds to a bare handler on the same Postgres', '5 min'),
  live: bench(
    'live',
    'npm start -- --live against publishers on this machine over HTTPS: seconds to the first answer and to the end; --faults makes them slow, broken and rate-limited',
    '2 min',
  ),
  sizes: bench('sizes', 'what a call leaves on disks and costs each program', '2 min'),
  overload: bench('overload', 'what one flooding account costs another', '10 min'),
  'slow-clients': bench('slow-clients', 'what a thousand slow connections cost others', '5 min'),
  history: bench('history', 'every task and request with two years behind it, beside an empty database', '15 min'),
  relevance: bench('relevance', 'rankings over REST against judged queries', '5 min'),
  'relevance-index': bench('relevance-index', 'the same on the index alone', '2 min'),
  parity: bench(
    'parity',
    'the same corpus and plans in Postgres with every match scored and in another engine; ends with code 1 where they are no equals',
    '5 min',
  ),
  'relevance-ablation': bench('relevance-ablation', 'what each part of ranking brings', '5 min'),
  'relevance-without': bench('relevance-without', 'what one part brings on every set of judged queries', '5 min'),
  'relevance-cross-validation': bench(
    'relevance-cross-validation',
    'how far constants depend on the queries that chose them',
    '10 min',
  ),
  'relevance-held-out': bench('relevance-held-out', 'queries that were written before anything was ranked', '2 min'),
  'relevance-rerank': bench(
    'relevance-rerank',
    'what a reranker of passages brings over HTTP, and what a perfect one would',
    '3 min',
  ),
  'relevance-blind': bench('relevance-blind', 'queries written blind, judged twice by what is shown', '2 min'),
  'kind-reader': bench('kind-reader', 'learns which kind a query asks for from sentences of a grammar', '2 min'),
  'relevance-vectors': bench('relevance-vectors', 'what vectors bring on every set of judged queries', '15 min'),
  'relevance-kinds': bench('relevance-kinds', 'how often words name the kind that was judged, in counts alone', '10 s'),
  'relevance-probability': bench(
    'relevance-probability',
    'how far probabilities of relevance can be trusted, and what a least one keeps and loses',
    '15 min',
  ),
  'relevance-small': bench(
    'relevance-small',
    'what a least probability would leave out in records of 100 to 10,000 observations',
    '5 min',
  ),
};

const CHECKS = {
  explorer: {
    does: 'every flow of the explorer in a real Chromium on a stack of its own, pictures, axe, times and size; needs Chromium',
    takes: '6 min',
    command: ['node', 'test/lab/explorer/check.ts'],
  },
  interop: {
    does: 'Go, Python, grpcurl, buf and a browser call what deploy/docs/grpc.md shows; what is not installed is left out',
    takes: '3 min',
    command: ['node', 'test/lab/interop/check.ts'],
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
  'opensearch-role': {
    does: 'the role of deploy/docs/search-engines.md on an OpenSearch with its security plugin over TLS: it suffices for the tests and allows nothing outside its prefix; --each takes every action away in turn; needs Maven and Python',
    takes: '6 min',
    command: ['node', 'test/lab/opensearch-role/check.ts'],
  },
  image: {
    does: 'the image built, listed, signed, verified and tampered with in a registry of its own; needs Docker and Go',
    takes: '10 min',
    command: ['node', 'test/lab/supply/image.ts'],
  },
  'chart-check': {
    does: 'every value of the chart by its renders, schemas of four versions of Kubernetes, and its alerts; needs Go',
    takes: '2 min',
    command: ['node', 'deploy/chart/src/check/main.ts'],
  },
  cluster: {
    does: 'a Kubernetes of one node with network policies in force: the chart installed, upgraded, scaled, its databases lost and restored; needs root and Go',
    takes: '60 min, the first time 2 hours',
    command: ['node', 'test/lab/kubernetes/main.ts'],
  },
};

export const PROGRAMS: ReadonlyMap<string, Program> = new Map(Object.entries({ ...DRILLS, ...BENCHES, ...CHECKS }));

function drill(name: string, does: string, takes: string): Program {
  return { does, takes, command: ['node', `test/lab/drills/${name}.ts`] };
}

function bench(name: string, does: string, takes: string, options: readonly string[] = []): Program {
  return { does, takes, command: ['node', ...options, `test/lab/benches/${name}.ts`] };
}
