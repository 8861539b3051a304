import { BYTES, type CallCosts, COSTS, INDEX, KEPT_DAYS, PROCESS_MIB, type SearchCost } from './figures.ts';

export interface Demand {
  readonly observations: number;
  readonly accounts: number;
  readonly callsADay: number;
  readonly searches: number;
  readonly unbounded: number;
}

interface ProgramPlan {
  readonly name: keyof typeof PROCESS_MIB;
  readonly cores: number;
  /** Processes of one processor each, at most `BUSY` busy; at least two. */
  readonly replicas: number;
  readonly connections: number | undefined;
  readonly memory: number;
}

export interface Plan {
  readonly mean: number;
  readonly peak: number;
  readonly programs: readonly ProgramPlan[];
  readonly databaseCores: number;
  readonly indexCores: number;
  readonly disks: Readonly<Record<'operations' | 'ledger' | 'lookup' | 'acquisition' | 'search', number>>;
  readonly indexMemory: number;
}

/** Ratio of the busiest hour to the day's mean. */
const PEAK = 3;
/** Utilization above which a process answers late. */
const BUSY = 0.6;
const DAY_S = 86_400;
const MIB = 1_048_576;
const POOL = 10;
const BESIDE_POOL = 4;
const COMING_AND_GOING = 2;

/** Extrapolates from the measured figures; these sizes themselves were not tested. */
export function planFor({ observations, accounts, callsADay, searches, unbounded }: Demand): Plan {
  const daily = accounts * callsADay;
  const mean = daily / DAY_S;
  const peak = mean * PEAK;
  const cost = (name: keyof CallCosts) => (COSTS.search[name] * searches + COSTS.lookUp[name] * (1 - searches)) / 1_000;
  const ranking = costOfRanking(observations);
  const indexMs = ranking.window * (1 - unbounded) + ranking.unbounded * unbounded;
  const programs = (['gateway', 'operations', 'ledger', 'lookup', 'search'] as const).map((name) => {
    const cores = peak * cost(name);
    const replicas = Math.max(2, Math.ceil(cores / BUSY));
    const connections = name === 'gateway' ? undefined : (replicas + COMING_AND_GOING) * (POOL + BESIDE_POOL) + 1;
    return { name, cores, replicas, connections, memory: replicas * PROCESS_MIB[name] * MIB };
  });
  const kept = daily * KEPT_DAYS;
  return {
    mean,
    peak,
    programs,
    databaseCores: peak * cost('postgres'),
    indexCores: (peak * searches * indexMs) / 1_000,
    disks: {
      operations: kept * (searches * BYTES.searchInOperations + (1 - searches) * BYTES.lookUpInOperations),
      ledger: kept * BYTES.entryInLedger,
      lookup: observations * BYTES.recordOfObservation,
      acquisition: observations * BYTES.rawRecord,
      search: observations * BYTES.indexOfObservation,
    },
    indexMemory: observations * INDEX.hotBytes,
  };
}

/** Larger sizes cost as much as the largest measured one, because a search has a budget. */
function costOfRanking(observations: number): SearchCost {
  const found = INDEX.costs.find((one) => observations <= one.observations) ?? INDEX.costs.at(-1);
  if (!found) throw new Error('nothing was measured');
  return found;
}
