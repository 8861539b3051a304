import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@ces/topology/services';
import { type Attempt, isAnswered } from '../../load/attempt.ts';
import { poll, search } from '../../load/client.ts';
import { WORDS } from '../../load/evidence.ts';
import type { Arena } from './arena.ts';

/** An edge of the cluster, the calling service, and a call that depends on the edge. */
export interface Edge {
  readonly edge: string;
  readonly service: ServiceName;
  readonly call: (arena: Arena, name: string) => Promise<void>;
}

/** Ends late calls, so that they do not accumulate. */
const INDEXED_WITHIN_MS = 9_000;

export const EDGES: readonly Edge[] = [
  edgeOf('ledger', 'postgres', searchCompanies),
  edgeOf('lookup', 'postgres', searchCompanies),
  edgeOf('search', 'postgres', searchCompanies),
  edgeOf('operations', 'postgres', searchCompanies),
  edgeOf('acquisition', 'postgres', beReady),
  edgeOf('gateway', 'ledger', searchCompanies),
  edgeOf('gateway', 'operations', searchCompanies),
  edgeOf('gateway', 'lookup', openObservation),
  edgeOf('operations', 'ledger', searchCompanies),
  edgeOf('operations', 'search', searchCompanies),
  edgeOf('operations', 'lookup', searchCompanies),
  edgeOf('search', 'lookup', findEvidence),
  { edge: 'broker', service: 'operations', call: searchInBackground },
];

function edgeOf(service: ServiceName, peer: string, call: Edge['call']): Edge {
  return { edge: `${service}-${peer}`, service, call };
}

async function searchCompanies({ door }: Arena, name: string): Promise<void> {
  answered(await search(door, { query: WORDS[0], limit: 2 }, name));
}

async function searchInBackground({ door }: Arena, name: string): Promise<void> {
  const { body } = answered(await search(door, { query: WORDS[0], limit: 2, background: true }, name));
  const id = body.usage?.id ?? 0;
  while (answered(await poll(door, id)).body.usage?.status !== 'delivered') await pause(100);
}

/** No observation has this id, which only the record knows. */
async function openObservation({ door }: Arena): Promise<void> {
  const response = await fetch(new URL('/api/observations/999999999', door.baseUrl), {
    headers: { authorization: `Bearer ${door.token}` },
  });
  if (response.status !== 404) throw new Error(String(response.status));
}

async function findEvidence({ evidence }: Arena, name: string): Promise<void> {
  await evidence.untilIndexed(await evidence.record(WORDS[1], name), INDEXED_WITHIN_MS);
}

async function beReady({ cluster }: Arena): Promise<void> {
  const { current } = cluster.services.find(({ name }) => name === 'acquisition-1') ?? {};
  const response = await fetch(new URL('/readyz', current?.adminUrl));
  if (response.status !== 200) throw new Error(String(response.status));
}

function answered(attempt: Attempt) {
  if (!isAnswered(attempt) || attempt.outcome.status >= 300) throw new Error(JSON.stringify(attempt.outcome));
  return attempt.outcome;
}
