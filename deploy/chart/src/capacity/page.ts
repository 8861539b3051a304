import { table } from '../markdown.ts';
import { BYTES, COSTS, PROCESS_MIB } from './figures.ts';
import { type Demand, planFor } from './plan.ts';

const MILLION = 1_000_000;
const OBSERVATIONS = [MILLION, 10 * MILLION, 100 * MILLION];
const ACCOUNTS = [1_000, 10_000, 100_000];
/**
 * Every account of the plan `builder` uses its whole period: 1,500 request units in thirty days.
 */
const USUAL: Demand = { observations: MILLION, accounts: 1_000, callsADay: 50, searches: 0.5, unbounded: 0.2 };

const HEAD = `# Capacity

\`npm run chart:generate\` calculates this page from figures measured on two cores. The file
\`deploy/chart/src/capacity/figures.ts\` names the source of each figure. These sizes themselves were
not tested. Calculate yours:

\`\`\`sh
npm run chart:capacity -- --observations 5e6 --accounts 2000 --calls 50 --searches 0.5 --unbounded 0.2
\`\`\``;

const ACCOUNTS_HEAD = `## By accounts

Every account uses up the plan \`builder\`: 1,500 charged calls in thirty days, half of them searches.
The busiest hour has three times the mean. A replica is a process of one core, busy to six tenths at
the peak; each program has at least two.

Disk figures are for one copy after the 400 days that operations and entries are kept. Add
write-ahead log, a third for bloat and vacuum, and one copy for each standby. Add also two processes
of acquisition (${PROCESS_MIB.acquisition} MiB each; their load depends on sources) and three NATS servers, which store
only waiting messages.`;

const OBSERVATIONS_HEAD = `## By observations

Cores are those that rank at the peak. A copy of the index has a server of eight cores to itself,
busy to six tenths. A fifth of searches have no time window.`;

const END = `## What reaches its limit first, and what to do

| limit, in the order of growth | first sign | do |
|---|---|---|
| disk of operations: 9 TB at 100,000 accounts, before anything else is busy | disk alerts | lower \`CES_OPERATIONS_RETENTION_MS\`, then \`CES_LEDGER_KEPT_DAYS\`, which must not be shorter; whole partitions are dropped, so the disk space returns |
| memory of the search processes | \`CesSearchMonthsLeftOut\` | raise \`CES_SEARCH_MEMORY_INDEX_MIB\` and the memory of the pods: 0.6 to 0.9 KB an observation, twice that while an index loads again; \`CES_SEARCH_KEPT_MONTHS\` limits what is indexed; or use OpenSearch (\`deploy/docs/search-engines.md\`, decision 0022) |
| processors of search | \`search-slow\` | more replicas of search: each has the whole index |
| \`max_connections\` | the chart refuses, \`pool-exhausted\` | \`postgres.cloudnativepg.pooler\`, smaller pools |
| commits: four to six a look-up, each on one disk of operations or ledger | p99 of look-ups rises while programs are idle | a separate WAL volume (\`spec.walStorage\`); a synchronous standby adds a round trip to each |
| the one projector of an index: 2,000 observations a second at a million, 1,000 at ten million | \`index-behind\` | nothing: one suffices for new evidence; a rebuild of a hundred million takes 15 hours while the old index serves |
| sources | jobs wait | \`CES_OPERATIONS_SOURCE_RUNS\`, replicas of operations and acquisition |
| one subscription's row lock: 1,336 pairs of reserve and settle a second | only one account is slow | nothing: limits are far below |

Before operations or ledger outgrow the largest server, put new accounts into a second installation.
No account needs the rows of another. You route subscribers to their installation, and both read the
same sources. No tool moves an account. Replicas of gateway, search and acquisition store nothing;
look-ups can read a standby (decision 0012).`;

export function capacityPage(): string {
  return [
    HEAD,
    '## What was measured',
    costTable(),
    ACCOUNTS_HEAD,
    accountTable(),
    OBSERVATIONS_HEAD,
    observationTable(),
    `${END}\n`,
  ].join('\n\n');
}

function costTable(): string {
  const programs = Object.keys(COSTS.search) as (keyof typeof COSTS.search)[];
  const memory: Readonly<Record<string, number>> = PROCESS_MIB;
  const costs = table(
    ['processor ms per call', ...programs],
    [
      ['look-up of a company', ...programs.map((name) => COSTS.lookUp[name].toFixed(1))],
      ['search, without ranking', ...programs.map((name) => COSTS.search[name].toFixed(1))],
      ['MiB of a process under load', ...programs.map((name) => memory[name]?.toString() ?? '')],
    ],
  );
  const sizes = table(
    ['bytes on disk', ''],
    [
      ['an observation in the record, with its company and evidence', count(BYTES.recordOfObservation)],
      ['its raw record in acquisition', count(BYTES.rawRecord)],
      ['an observation in the index', count(BYTES.indexOfObservation)],
      ['a look-up in operations', count(BYTES.lookUpInOperations)],
      ['a search with ten companies in operations', count(BYTES.searchInOperations)],
      ['hold and entry of a call in the ledger', count(BYTES.entryInLedger)],
    ],
  );
  return `${costs}\n\n${sizes}`;
}

function accountTable(): string {
  const rows = ACCOUNTS.map((accounts) => {
    const { mean, peak, programs, databaseCores, disks } = planFor({ ...USUAL, accounts });
    const memory = programs.reduce((sum, program) => sum + program.memory, 0);
    return [
      count(accounts),
      `${few(mean)}, ${few(peak)}`,
      ...programs.map(({ replicas, connections }) => `${replicas}${connections ? ` (${connections})` : ''}`),
      gigabytes(memory),
      few(databaseCores),
      gigabytes(disks.operations),
      gigabytes(disks.ledger),
    ];
  });
  return table(
    [
      'accounts',
      'calls/s, mean and peak',
      'gateway',
      'operations (connections)',
      'ledger',
      'lookup',
      'search',
      'memory of these programs, GB',
      'cores of Postgres, without ranking',
      'disk of operations, GB',
      'disk of ledger, GB',
    ],
    rows,
  );
}

function observationTable(): string {
  const rows = OBSERVATIONS.map((observations) => {
    const { disks, indexMemory } = planFor({ ...USUAL, observations });
    const cores = ACCOUNTS.map((accounts) => planFor({ ...USUAL, observations, accounts }).indexCores);
    return [
      count(observations),
      gigabytes(disks.lookup),
      gigabytes(disks.acquisition),
      gigabytes(disks.search),
      gigabytes(indexMemory),
      ...cores.map((busy) => `${few(busy)} (${Math.max(1, Math.ceil(busy / 8 / 0.6))})`),
    ];
  });
  return table(
    [
      'observations',
      'record, GB',
      'raw records, GB',
      'a copy of the index, GB',
      'memory it needs, GB',
      ...ACCOUNTS.map((accounts) => `cores (copies) for ${count(accounts)} accounts`),
    ],
    rows,
  );
}

function count(figure: number): string {
  return Math.round(figure).toLocaleString('en-US');
}

function few(figure: number): string {
  return figure < 10 ? figure.toFixed(1) : count(figure);
}

function gigabytes(bytes: number): string {
  return few(bytes / 1e9);
}
