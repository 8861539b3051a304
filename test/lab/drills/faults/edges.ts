import { disturb, type Fault } from './fault.ts';

export const EDGES = [
  ...['ledger-postgres', 'lookup-postgres', 'search-postgres', 'operations-postgres', 'acquisition-postgres', 'broker'],
  ...['gateway-ledger', 'gateway-operations', 'gateway-lookup', 'search-lookup'],
  ...['operations-ledger', 'operations-search', 'operations-lookup'],
];

export function loseConnections(edges: readonly string[], ms: number): Fault {
  return {
    name: 'connections lost',
    promise: 'R29',
    run: (cluster, random) => disturb(cluster, random.pick(edges), { kind: 'lost' }, ms),
  };
}

export function slowAnswers(edges: readonly string[], lateMs: number, ms: number): Fault {
  return {
    name: edges.length === 1 ? `slow ${edges[0]}` : 'slow answers',
    promise: 'R22',
    run: (cluster, random) => disturb(cluster, random.pick(edges), { kind: 'delay', ms: lateMs }, ms),
  };
}
