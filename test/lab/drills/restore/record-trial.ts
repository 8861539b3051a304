import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { removeDirectory } from '@ces/servers/processes/account';
import { REPOSITORY } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import { checkBodies, checkReplays, checkStates } from '../../checks/answers.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { type Attempt, isAnswered } from '../../load/attempt.ts';
import { doorsOf } from '../../load/client.ts';
import { startClients } from '../../load/clients.ts';
import { type Evidence, populate, WORDS } from '../../load/evidence.ts';
import { AMPLE, createAccount } from '../../load/subscribers.ts';
import { beginCopy, type Kind, moveTo, openCopy, ownerUrlOf, takeCopy } from './copies.ts';
import { type Addresses, countDiffering, type Holdings, readHoldings, untilAgreed } from './holdings.ts';
import { afterRestore } from './repair.ts';

export const OF_THE_RECORD = ['lookup', 'search', 'acquisition'] as const;
type Restored = (typeof OF_THE_RECORD)[number];

/** Commands to run after each restore, as in deploy/docs/restore.md. */
const REPAIRED: Readonly<Record<Restored, readonly Restored[]>> = {
  lookup: ['lookup', 'acquisition'],
  search: ['search'],
  acquisition: ['acquisition'],
};
const NOTICES = path.join(REPOSITORY, 'services/acquisition/src/sources/canadabuys/documents/open-tender-notices.csv');
const SOURCE = 'canadabuys';
/** Companies recorded manually after the moment, which no raw record contains. */
const BY_HAND = 5;
/** Deadline for the index to agree with the record. Without the command the drill waits less. */
const AGREED_WITHIN_MS = 90_000;
const WITHOUT_MS = 10_000;

interface Trial {
  readonly cluster: Cluster;
  readonly record: Evidence;
  readonly addresses: Addresses;
  readonly load: (name: string) => Promise<void>;
  readonly attempts: Attempt[];
}

export interface TrialLength {
  readonly seconds: number;
  readonly clients: number;
}

/**
 * Restores one of record, index and acquisition to an earlier moment. Returns the faults left after
 * `ces after-restore`.
 */
export async function tryRecord(kind: Kind, service: Restored, random: Random, length: TrialLength): Promise<string[]> {
  console.log(`\n${service} earlier, by ${kind}`);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: NO_FLOOD_LIMITS, random });
  const trial = await beginTrial(cluster, random, length);
  const directory = path.join(cluster.servers.directory, 'copy');
  await beginCopy(cluster, kind, directory);
  await ingest(cluster, 'cb-100');
  await trial.load('before');
  const early = await withdrawOne(trial);
  await untilAgreed(trial.addresses, AGREED_WITHIN_MS);
  const copy = await takeCopy(cluster, kind, service, directory);
  await ingest(cluster, 'cb-200');
  for (let at = 0; at < BY_HAND; at += 1) await trial.record.record(WORDS[1], `since-${at}`);
  const late = await withdrawOne(trial);
  await trial.load('since');
  const before = await untilAgreed(trial.addresses, AGREED_WITHIN_MS);
  await using server = await openCopy(cluster, copy, service);
  trial.addresses[service] = await moveTo(cluster, service, server);
  await pause(WITHOUT_MS);
  const without = await readHoldings(trial.addresses);
  const begun = performance.now();
  const first = await afterRestore(cluster, REPAIRED[service]);
  const repaired = await untilAgreed(trial.addresses, AGREED_WITHIN_MS);
  console.log(
    `without the command ${countDiffering(without)} differ; after-restore and the index took ${Math.round(performance.now() - begun)} ms: ${JSON.stringify(first.done)}`,
  );
  const violations = [
    ...first.unrepaired,
    ...judgeRepaired(service, before, repaired, { early, late }),
    ...(await recordAgain(trial, before)),
  ];
  const from = trial.attempts.length;
  await trial.load('after');
  const answered = trial.attempts.slice(from).filter(isAnswered);
  violations.push(...checkReplays(answered), ...checkStates(answered), ...checkBodies(answered));
  console.log(`after ${answered.length} more calls ${violations.length} violations`);
  await removeDirectory(path.join(directory, 'server'));
  return violations;
}

async function beginTrial(cluster: Cluster, random: Random, { seconds, clients }: TrialLength): Promise<Trial> {
  const { evidence: record, ledger } = await populate(cluster);
  const doors = doorsOf(cluster.gateways, [await createAccount(ledger, AMPLE, 2)]);
  const attempts: Attempt[] = [];
  return {
    cluster,
    record,
    attempts,
    addresses: {
      lookup: ownerUrlOf(cluster, 'lookup'),
      search: ownerUrlOf(cluster, 'search'),
      acquisition: ownerUrlOf(cluster, 'acquisition'),
    },
    async load(name) {
      await using _load = startClients(clients, doors, random.branch(name), (one) => attempts.push(one));
      await pause(seconds * 1_000);
    },
  };
}

function judgeRepaired(
  service: Restored,
  before: Holdings,
  after: Holdings,
  withdrawn: { readonly early: bigint; readonly late: bigint },
): string[] {
  const isShown = (id: bigint) => after.shown.has(id) || after.indexed.has(id);
  const ofSource = ({ shown }: Holdings) => [...shown.values()].filter((source) => source === SOURCE).length;
  const lost = [...before.shown.keys()].filter((id) => !after.shown.has(id)).length;
  console.log(
    `observations shown ${before.shown.size} before, ${after.shown.size} after, ${lost} of them no more under their number; raw records ${before.rawRecords}, ${after.rawRecords}; what was withdrawn since is ${isShown(withdrawn.late) ? 'shown again' : 'not shown'}`,
  );
  return [
    ...(countDiffering(after) > 0 ? [`index and record differ by ${countDiffering(after)}`] : []),
    ...(isShown(withdrawn.early) ? ['what was withdrawn before the moment is shown again'] : []),
    ...(service !== 'lookup' && isShown(withdrawn.late) ? ['what was withdrawn since is shown again'] : []),
    ...(service !== 'lookup' && lost > 0 ? [`${lost} observations are lost`] : []),
    ...(ofSource(after) < ofSource(before) ? ['observations of raw records are lost'] : []),
    ...((after.epoch !== before.epoch) === (service === 'lookup')
      ? []
      : ['the epoch of the change feed is not as it must be']),
  ];
}

/**
 * Ingests files and imports companies again, as an operator does. Nothing may be duplicated and no
 * id reused.
 */
async function recordAgain({ cluster, record, addresses }: Trial, before: Holdings): Promise<string[]> {
  const highest = [...before.shown.keys()].reduce((most, id) => (id > most ? id : most), 0n);
  for (const series of ['cb-100', 'cb-200']) await ingest(cluster, series);
  for (let at = 0; at < BY_HAND; at += 1) await record.record(WORDS[1], `since-${at}`);
  const tx = await record.record(WORDS[1], 'anew');
  await record.untilIndexed(tx, AGREED_WITHIN_MS);
  const after = await untilAgreed(addresses, AGREED_WITHIN_MS);
  const fresh = [...after.shown.keys()].filter((id) => !before.shown.has(id) && id <= highest).length;
  const counts = `${before.shown.size} before, ${after.shown.size} once all was recorded again, with one that is new`;
  console.log(`observations shown: ${counts}; raw records ${after.rawRecords}`);
  return [
    // Evidence withdrawn after the moment may be visible again.
    ...([before.shown.size + 1, before.shown.size + 2].includes(after.shown.size)
      ? []
      : [`not the same once more: ${counts}`]),
    ...(fresh > 1 ? [`${fresh} numbers were given twice`] : []),
    ...(after.rawRecords === before.rawRecords
      ? []
      : [`raw records: ${before.rawRecords} before, ${after.rawRecords} after`]),
    ...(countDiffering(after) > 0 ? [`index and record differ by ${countDiffering(after)} in the end`] : []),
  ];
}

async function withdrawOne({ cluster, addresses }: Trial): Promise<bigint> {
  const { shown } = await readHoldings(addresses);
  const byHand = [...shown].flatMap(([id, source]) => (source === SOURCE ? [] : [id]));
  const observationId = byHand.reduce((least, id) => (id < least ? id : least));
  await recordOf(cluster).withdrawEvidence({ observationId, reason: 'drill' });
  return observationId;
}

async function ingest(cluster: Cluster, series: string): Promise<void> {
  const text = (await readFile(NOTICES, 'utf8')).replaceAll('cb-100', series).replaceAll('WX000', series);
  const bytes = new TextEncoder().encode(text);
  const callerToken = cluster.secrets.admin_token ?? '';
  const client = createRpcClient(AcquisitionAdminService, {
    url: cluster.urlOf('acquisition'),
    callerToken,
    reason: 'a drill',
    timeoutMs: 60_000,
  });
  await client.ingestDocument(
    (async function* () {
      yield {
        part: { case: 'file' as const, value: { source: SOURCE, name: `${series}.csv`, size: BigInt(bytes.length) } },
      };
      yield { part: { case: 'chunk' as const, value: bytes } };
    })(),
  );
}

function recordOf(cluster: Cluster) {
  const callerToken = cluster.secrets.admin_token ?? '';
  return createRpcClient(RecordService, {
    url: cluster.urlOf('lookup'),
    callerToken,
    reason: 'a drill',
    timeoutMs: 30_000,
  });
}
