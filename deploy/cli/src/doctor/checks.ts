import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { SourceState } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { hasReached } from '../operator/index-position.ts';
import { silentService } from '../operator/rpc-refusal.ts';
import type { ServiceName, Stack } from '../operator/stack.ts';
import { count } from '../output/table.ts';

export interface Finding {
  readonly state: 'well' | 'watch' | 'broken';
  readonly finding: string;
  readonly mend?: string;
}

export interface Check {
  readonly part: string;
  readonly look: () => Promise<Finding>;
}

const TIMEOUT_MS = 10_000;
const NATS_TIMEOUT_MS = 3_000;
/** Time in which a consumer of the change feed should catch up. */
const CATCH_UP_MS = 2_000;
/** Longest operation and the sweeper's interval (gateway/docs/contract.md, Time). */
const OLDEST_HOLD_MS = 50 * 60_000;
/** Above it, months are left out soon; the threshold of the alert CesSearchMemoryFull. */
const FILLED_MEMORY = 0.8;

/** Lists checks in the order to look. A service's check needs its database too. */
export function checksOf(stack: Stack): Check[] {
  return [
    { part: 'gateway', look: () => lookAtGateway(stack) },
    { part: 'ledger', look: () => answers(stack, 'ledger', lookAtLedger) },
    { part: 'operations', look: () => answers(stack, 'operations', lookAtOperations) },
    { part: 'search', look: () => answers(stack, 'search', lookAtSearch) },
    { part: 'lookup', look: () => answers(stack, 'lookup', lookAtLookup) },
    { part: 'acquisition', look: () => answers(stack, 'acquisition', lookAtSources) },
    { part: 'nats', look: () => checkNats(stack.natsUrl()) },
    { part: 'index lag', look: () => lookAtLag(stack) },
    { part: 'holds', look: () => lookAtHolds(stack) },
    { part: 'drift', look: () => lookAtDrift(stack) },
  ];
}

async function lookAtGateway(stack: Stack): Promise<Finding> {
  const address = stack.addressOf('gateway');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${address}/openapi.json`, { signal, redirect: 'manual' }).catch(() => undefined);
  if (!response)
    return broken(`nothing answers at ${address}`, 'Start the stack with npm start, or set CES_GATEWAY_URL.');
  const document = (await response.json().catch(() => undefined)) as { info?: { version?: string } } | undefined;
  if (document?.info) return well(`serves interface ${document.info.version} at ${address}`);
  return broken(`${address} answered ${response.status} without the OpenAPI document`, 'Check CES_GATEWAY_URL.');
}

/** A service that answers SERVICE_UNAVAILABLE has lost its database. */
async function answers(stack: Stack, name: ServiceName, look: (stack: Stack) => Promise<Finding>): Promise<Finding> {
  const address = stack.addressOf(name);
  try {
    const finding = await look(stack);
    return finding.state === 'well' ? well(`${finding.finding} (${address})`) : finding;
  } catch (error) {
    if (silentService(error) || failureOf(error)?.code !== FailureCode.SERVICE_UNAVAILABLE) throw error;
    const setting = `CES_${name.toUpperCase()}_DATABASE_URL`;
    return broken(`answers at ${address}, but its database does not`, `Check the database of ${name} and ${setting}.`);
  }
}

async function lookAtLedger(stack: Stack): Promise<Finding> {
  const { plans } = await stack.client('ledger', LedgerAdminService, TIMEOUT_MS).listPlans({});
  return well(`plans ${plans.map((plan) => plan.name).join(', ')}`);
}

async function lookAtOperations(stack: Stack): Promise<Finding> {
  const { operations } = await stack
    .client('operations', OperationsAdminService, TIMEOUT_MS)
    .listOperations({ limit: 1 });
  return well(operations[0] ? `newest operation ${operations[0].id}` : 'no operations yet');
}

async function lookAtSearch(stack: Stack): Promise<Finding> {
  const status = await stack.client('search', SearchAdminService, TIMEOUT_MS).getIndexStatus({});
  const indexed = `${count(status.observations)} observations indexed`;
  const { leftOutObservations, searchedFrom, memoryBytes, memoryLimitBytes } = status;
  const filled = memoryLimitBytes === 0n ? 0 : Number(memoryBytes) / Number(memoryLimitBytes);
  if (leftOutObservations === 0n && filled <= FILLED_MEMORY) return well(indexed);
  return watch(
    leftOutObservations === 0n
      ? `${indexed}, which take ${Math.round(filled * 100)} % of the memory of the index`
      : `${indexed}; ${count(leftOutObservations)} from before ${searchedFrom || 'now'} do not fit into memory`,
    'Raise CES_SEARCH_MEMORY_INDEX_MIB, set CES_SEARCH_KEPT_MONTHS, or change to OpenSearch.',
  );
}

async function lookAtLookup(stack: Stack): Promise<Finding> {
  const status = await stack.client('lookup', RecordService, TIMEOUT_MS).getRecordStatus({});
  return well(`${count(status.companies)} companies, ${count(status.observations)} observations`);
}

async function lookAtSources(stack: Stack): Promise<Finding> {
  const { sources, schedules } = await stack.client('acquisition', AcquisitionAdminService, TIMEOUT_MS).listSources({});
  const drifted = sources.filter((source) => source.driftAt).map((source) => source.name);
  if (drifted.length > 0)
    return watch(`schema drift: ${drifted.join(', ')}`, 'List the missing fields with npx ces source list.');
  const enabled = sources.filter((source) => source.state === SourceState.ENABLED).length;
  return well(`${count(enabled)} of ${count(sources.length)} sources enabled, schedules ${schedules ? 'on' : 'off'}`);
}

async function lookAtLag(stack: Stack): Promise<Finding> {
  const { newest } = await stack.client('lookup', RecordService, TIMEOUT_MS).getRecordStatus({});
  const search = stack.client('search', SearchAdminService, TIMEOUT_MS);
  const before = await search.getIndexStatus({});
  if (hasReached(before.position, newest)) return well('the index has applied every change');
  await pause(CATCH_UP_MS);
  const { position, lag, rebuilding } = await search.getIndexStatus({});
  if (hasReached(position, newest)) return well('the index has applied every change');
  const behind = `${count(lag)} changes behind`;
  if (rebuilding) return watch(`${behind}, rebuilding`, 'Follow it with npx ces index status.');
  if (!hasReached(before.position, position)) return watch(`${behind}, catching up`, 'Check again in a minute.');
  return broken(
    `${behind}, no progress`,
    'Read the log of the search service, or rebuild the index with npx ces index rebuild.',
  );
}

async function lookAtHolds(stack: Stack): Promise<Finding> {
  const olderThan = timestampFromDate(new Date(Date.now() - OLDEST_HOLD_MS));
  const { holds } = await stack.client('ledger', LedgerService, TIMEOUT_MS).listHolds({ olderThan, limit: 1000 });
  if (holds.length === 0) return well('no old holds');
  const first = holds
    .slice(0, 5)
    .map((hold) => hold.operationId)
    .join(', ');
  return broken(`${count(holds.length)} older than 50 min: ${first}`, 'Inspect them with npx ces operations show ID.');
}

async function lookAtDrift(stack: Stack): Promise<Finding> {
  const { differences, entries } = await stack.client('ledger', LedgerAdminService, 10 * TIMEOUT_MS).verifyLedger({});
  if (differences.length === 0) return well(`counters agree with ${count(entries)} entries`);
  return broken(`${count(differences.length)} counters differ`, 'List them with npx ces ledger verify.');
}

/** Reads the INFO line, which a NATS server sends first on every connection. */
async function checkNats(address: string | undefined): Promise<Finding> {
  const mend = 'Start nats-server with JetStream, or check NATS_URL. Until then background work waits for the sweeper.';
  if (!address) return broken('no address is set', 'Set NATS_URL.');
  try {
    const { version, jetstream } = await greeting(new URL(address));
    return jetstream
      ? well(`nats-server ${version}, JetStream on`)
      : broken(`nats-server ${version} without JetStream`, 'Start it with --jetstream.');
  } catch (error) {
    return broken((error as Error).message, mend);
  }
}

function greeting({ hostname, port }: URL): Promise<{ readonly version?: string; readonly jetstream?: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port) || 4222, hostname);
    let text = '';
    const end = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(NATS_TIMEOUT_MS, () => end(new Error(`${hostname}:${port} does not answer`)));
    socket.once('error', () => end(new Error(`nothing answers at ${hostname}:${port}`)));
    socket.once('close', () => end(new Error(`${hostname}:${port} is not a NATS server`)));
    socket.on('data', (chunk) => {
      text += chunk;
      const info = /^INFO (\{.*\})\s*\r?\n/.exec(text)?.[1];
      if (info === undefined) return;
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(JSON.parse(info));
    });
  });
}

function well(finding: string): Finding {
  return { state: 'well', finding };
}

function watch(finding: string, mend: string): Finding {
  return { state: 'watch', finding, mend };
}

function broken(finding: string, mend: string): Finding {
  return { state: 'broken', finding, mend };
}
