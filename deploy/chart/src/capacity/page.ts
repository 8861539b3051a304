import { table } from '../markdown.ts';
import { PROCESS_MIB } from './figures.ts';
import { type Demand, planFor } from './plan.ts';

const MILLION = 1_000_000;
const OBSERVATIONS = [MILLION, 10 * MILLION, 100 * MILLION];
const ACCOUNTS = [1_000, 10_000, 100_000];
/** Every `builder` account uses its period: 1,500 request units in thirty days. */
const USUAL: Demand = { observations: MILLION, accounts: 1_000, callsADay: 50, searches: 0.5, unbounded: 0.2 };

const HEAD = `# Capacity

Calculated from [measured costs](../chart/src/capacity/figures.ts); these sizes themselves were not
tested. Calculate yours:

\`\`\`sh
npm run chart:capacity -- --observations 5e6 --accounts 2000 --calls 50 --searches 0.5 --unbounded 0.2
\`\`\``;

const ACCOUNTS_HEAD = `## By accounts

Every account uses up the plan \`builder\`: 1,500 charged calls in thirty days, half of them searches.
The busiest hour has three times the mean. A replica is a process of one core, busy to six tenths at
the peak. Disk figures are for one copy after 400 days. Add write-ahead log, a third for bloat and
vacuum, one copy for each standby, two processes of acquisition (${PROCESS_MIB.acquisition} MiB each), and NATS.`;

const OBSERVATIONS_HEAD = `## By observations

Cores are those that rank at the peak. A copy of the index has a server of eight cores, busy to six
tenths. A fifth of searches have no time window.`;

const END = `## What reaches its limit first, and what to do

| limit, in the order of growth | first sign | do |
|---|---|---|
| disk of operations: 9 TB at 100,000 accounts | disk alerts | lower \`CES_OPERATIONS_RETENTION_MS\`, then \`CES_LEDGER_KEPT_DAYS\`, which must not be shorter |
| memory of the search processes | \`CesSearchMonthsLeftOut\` | raise \`CES_SEARCH_MEMORY_INDEX_MIB\` and the memory of the pods, set \`CES_SEARCH_KEPT_MONTHS\`, or use OpenSearch (\`deploy/docs/search-engines.md\`) |
| processors of search | \`CesSearchSlowFast\` | more replicas of search |
| \`max_connections\` | the chart refuses, \`CesPoolExhausted\` | \`postgres.cloudnativepg.pooler\`, smaller pools |
| commits on the disks of operations and ledger | p99 of look-ups rises while programs are idle | a separate WAL volume (\`spec.walStorage\`) |
| the projector: 1,000 to 2,000 observations a second | \`CesIndexBehind\` | nothing; a rebuild of a hundred million takes 15 hours while the old index serves |
| sources | jobs wait | \`CES_OPERATIONS_SOURCE_RUNS\`, replicas of operations and acquisition |

Before operations or ledger outgrow the largest server, put new accounts into a second installation
and route subscribers to theirs.`;

export function capacityPage(): string {
  return [HEAD, ACCOUNTS_HEAD, accountTable(), OBSERVATIONS_HEAD, observationTable(), `${END}\n`].join('\n\n');
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
      'memory, GB',
      'cores of Postgres',
      'operations, GB',
      'ledger, GB',
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
      'index copy, GB',
      'its memory, GB',
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
