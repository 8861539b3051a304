import { BYTES, type CallCosts, COSTS, INDEX, KEPT_DAYS, PROCESS_MIB, type SearchCost } from './figures.ts';

/** What an installation is to hold and to answer. */
export interface Demand {
  readonly observations: number;
  readonly accounts: number;
  /** Calls of an account a day that are charged, on average. */
  readonly callsADay: number;
  /** Share of them that are searches, the rest look-ups. */
  readonly searches: number;
  /** Share of searches that name no time window. */
  readonly unbounded: number;
}

interface ProgramPlan {
  readonly name: keyof typeof PROCESS_MIB;
  /** Processors that it keeps busy at the peak. */
  readonly cores: number;
  /** Processes, each of one processor and at most so busy as is planned, two at least. */
  readonly replicas: number;
  /** Connections to its database in an upgrade; undefined: it has none. */
  readonly connections: number | undefined;
  /** Bytes that its processes hold. */
  readonly memory: number;
}

export interface Plan {
  /** Charged calls a second on average and at the peak. */
  readonly mean: number;
  readonly peak: number;
  readonly programs: readonly ProgramPlan[];
  /** Processors of the servers of the record, the books and operations, and of one copy of the index, at the peak. */
  readonly databaseCores: number;
  readonly indexCores: number;
  /** Bytes of one copy, by database, after as long as rows are kept. */
  readonly disks: Readonly<Record<'operations' | 'ledger' | 'lookup' | 'acquisition' | 'search', number>>;
  /** Memory in which searches find what they read most, of one copy of the index. */
  readonly indexMemory: number;
}

/** The busiest hour of a day has three times its share. */
const PEAK = 3;
/** A process that is busier than this answers late. */
const BUSY = 0.6;
const DAY_S = 86_400;
const MIB = 1_048_576;
const POOL = 10;
const BESIDE_POOL = 4;
const COMING_AND_GOING = 2;

/** Arithmetic on what was measured; nothing of it was run at these sizes. */
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

/** Of what was measured the smallest size that is not smaller; beyond it a search costs as much, since its budget ends it. */
function costOfRanking(observations: number): SearchCost {
  const found = INDEX.costs.find((one) => observations <= one.observations) ?? INDEX.costs.at(-1);
  if (!found) throw new Error('nothing was measured');
  return found;
}
