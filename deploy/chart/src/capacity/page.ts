import { table } from '../markdown.ts';
import { BYTES, COSTS, PROCESS_MIB } from './figures.ts';
import { type Demand, planFor } from './plan.ts';

const MILLION = 1_000_000;
const OBSERVATIONS = [MILLION, 10 * MILLION, 100 * MILLION];
const ACCOUNTS = [1_000, 10_000, 100_000];
/** Every account of the plan `builder` uses up its period: 1,500 request units in thirty days. */
const USUAL: Demand = { observations: MILLION, accounts: 1_000, callsADay: 50, searches: 0.5, unbounded: 0.2 };

const HEAD = `# Capacity

Made by \`npm run chart:generate\` from figures that were measured on two cores (\`deploy/chart/src/capacity/figures.ts\` says where each stands) and
arithmetic; nothing was run at these sizes. Your own: \`npm run chart:capacity -- --observations 5e6 --accounts 2000 --calls 50 --searches 0.5 --unbounded 0.2\`.
Prices are yours: multiply cores, gigabytes of memory and of disk.`;

const ACCOUNTS_HEAD = `## By accounts

Every account uses up the plan \`builder\`: 1,500 charged calls in thirty days, half of them searches, the busiest hour three times the mean.
Replicas are processes of one core, busy to six tenths at the peak, two at least. Disks are of one copy after the 400 days that
operations and entries are kept; write-ahead log and a third for bloat and vacuum come on top, and every standby is a copy more.
Beside them stand two processes of acquisition (${PROCESS_MIB.acquisition} MiB each: sources set their work, not accounts) and three servers of NATS, which keep only
what waits to be done.`;

const OBSERVATIONS_HEAD = `## By observations

Cores of the index are those that rank, with a fifth of searches over all times; a copy has them and the memory to itself. Beyond ten million a search
costs no more, since its budget ends it, and finds less of what is frequent (decision 0014).`;

const END = `## What ends first, and what to do

| what ends, in the order of growth | first sign | do |
|---|---|---|
| disks of operations: 9 TB at 100,000 accounts before anything else is busy | disk alerts | \`CES_OPERATIONS_RETENTION_MS\`, then \`CES_LEDGER_KEPT_DAYS\`, which is never the shorter one; partitions go whole, so disk comes back |
| processors of the one server of the index | \`search-slow\`, a waiting pool of search | \`CES_SEARCH_COPY_MEMORY\`: what each process of search ranks in its own memory, the newest months first, costs the server next to nothing and the process a sixth (a GiB for some two million observations of a hundred words); more cores; \`CES_SEARCH_MATCH_BUDGET\`, above all for searches without a window; copies of the index, which are several installations of search and not a switch |
| what searches leave out beyond three million observations in a window, ten million without | judged queries | OpenSearch has the index, which walks postings with bounds (\`deploy/docs/search-engines.md\`, decision 0140) |
| memory of the index below its months of a window | reads of the disk at every search | memory; \`CES_SEARCH_KEPT_MONTHS\` bounds what is indexed |
| \`max_connections\` | the chart refuses, \`pool-exhausted\` | \`postgres.cloudnativepg.pooler\`, smaller pools |
| commits: four to six a look-up, each on one disk of operations or ledger | p99 of look-ups beside idle programs | a volume of its own for what is written ahead (\`walStorage\`); a standby that confirms adds a round trip to each |
| the one projector of an index: 2,000 observations a second at a million, 1,000 at ten | \`index-behind\` | \`search.opensearch.parts\` where OpenSearch has it; else nothing for arrivals; a rebuild of a hundred million takes 15 hours beside the index that serves |
| sources | jobs wait | \`CES_OPERATIONS_SOURCE_RUNS\`, replicas of operations and acquisition |
| one subscription's row lock, 1,336 pairs of reserve and settle a second | one account alone is slow | nothing: limits are far below |

Before a server of operations or ledger is larger than can be bought, new accounts go to a second installation: no account needs another's rows.
What routes subscribers to theirs is yours, both take in the same sources, and nothing moves an account. Replicas of gateway, search and acquisition keep
nothing and come and go; look-ups can read a standby (decision 0068).`;

/** The guide to sizes, as Markdown. */
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
    ['processor ms a call', ...programs],
    [
      ['look-up of a company', ...programs.map((name) => COSTS.lookUp[name].toFixed(1))],
      ['search, beside its ranking at size', ...programs.map((name) => COSTS.search[name].toFixed(1))],
      ['MiB of a process under calls', ...programs.map((name) => memory[name]?.toString() ?? '')],
    ],
  );
  const sizes = table(
    ['bytes on the disk', ''],
    [
      ['an observation in the record, with its company and evidence', count(BYTES.recordOfObservation)],
      ['its raw record', count(BYTES.rawRecord)],
      ['in the index', count(BYTES.indexOfObservation)],
      ['a look-up in operations', count(BYTES.lookUpInOperations)],
      ['a search with ten companies in operations', count(BYTES.searchInOperations)],
      ['hold and entry of one in the ledger', count(BYTES.entryInLedger)],
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
      'memory of all of them, GB',
      'cores of Postgres, all but ranking',
      'disk of operations, GB',
      'of ledger, GB',
    ],
    rows,
  );
}

function observationTable(): string {
  const rows = OBSERVATIONS.flatMap((observations) =>
    ACCOUNTS.map((accounts) => {
      const { disks, indexMemory, indexCores } = planFor({ ...USUAL, observations, accounts });
      return [
        count(observations),
        count(accounts),
        gigabytes(disks.lookup),
        gigabytes(disks.acquisition),
        gigabytes(disks.search),
        gigabytes(indexMemory),
        few(indexCores),
        String(Math.max(1, Math.ceil(indexCores / 8 / 0.6))),
      ];
    }),
  );
  return table(
    [
      'observations',
      'accounts',
      'record, GB',
      'raw records, GB',
      'a copy of the index, GB',
      'memory it wants, GB',
      'cores that rank at the peak',
      'copies of eight cores',
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
