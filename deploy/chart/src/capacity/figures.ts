/** Milliseconds of processor time, with the databases summed in `postgres`. */
export interface CallCosts {
  readonly gateway: number;
  readonly operations: number;
  readonly ledger: number;
  readonly lookup: number;
  readonly search: number;
  readonly postgres: number;
}

/** Bytes on disk of one item, with its indexes. */
export const BYTES = {
  /** Companies, observations, evidence and changes: test/results/sizing.md. */
  recordOfObservation: 2_100,
  /** test/results/history.md: 0.19 GB of 200,000. */
  rawRecord: 950,
  /** test/results/search-speed.md, at a million. */
  indexOfObservation: 2_800,
  /** test/results/sizing.md, `npm run lab -- overhead`. */
  lookUpInOperations: 2_090,
  searchInOperations: 6_920,
  /** Hold, entry and the rest, before any vacuum (test/results/sizing.md). */
  entryInLedger: 970,
} as const;

/** From 64 clients on two quiet cores (test/results/overhead.md); the overhead lab gives shares. */
export const COSTS: Readonly<Record<'lookUp' | 'search', CallCosts>> = {
  lookUp: { gateway: 1.3, operations: 1.8, ledger: 1.5, lookup: 0.7, search: 0, postgres: 3.9 },
  search: { gateway: 2, operations: 4.7, ledger: 3.9, lookup: 1.7, search: 3.1, postgres: 9.2 },
};

/** Resident memory of a process in MiB after half a minute of calls (test/results/sizing.md). */
export const PROCESS_MIB = { gateway: 242, operations: 267, ledger: 265, lookup: 219, search: 226 };

/** Days that operations and entries are kept by default (decision 0013). */
export const KEPT_DAYS = 400;

export interface SearchCost {
  readonly observations: number;
  readonly window: number;
  readonly unbounded: number;
}

/** Searches a second (test/results/search-speed.md): 57 and 14 at a million, 24 and 8 at ten. */
export const INDEX = {
  costs: [
    { observations: 1_000_000, window: 35, unbounded: 140 },
    { observations: 10_000_000, window: 82, unbounded: 250 },
  ] as readonly SearchCost[],
  /** Bytes that should be in memory (the same page, at a hundred million). */
  hotBytes: 640,
} as const;
