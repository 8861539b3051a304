import { table } from '../markdown.ts';
import { type Demand, planFor } from './plan.ts';

const MILLION = 1_000_000;
const OBSERVATIONS = [MILLION, 10 * MILLION, 100 * MILLION];
const ACCOUNTS = [1_000, 10_000, 100_000];
/** Every `builder` account uses its period: 1,500 request units in thirty days. */
const USUAL: Demand = { observations: MILLION, accounts: 1_000, callsADay: 50, searches: 0.5, unbounded: 0.2 };

/** A page with its first two tables calculated; its text is written by hand. */
export function withCapacityTables(page: string): string {
  const tables = [accountTable(), observationTable()];
  return page.replaceAll(/^(?:\|.*\n)+/gm, (written) => tables.shift()?.concat('\n') ?? written);
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
