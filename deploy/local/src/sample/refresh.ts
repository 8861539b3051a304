import { readFile } from 'node:fs/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { readSettings } from '@ces/chassis/service/settings';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { secretOf, tokenName } from '@ces/topology/environment';
import { withProgress } from '../../bin/progress.mjs';
import type { StartContext } from '../stack/start-context.ts';
import { writePrivately } from '../state/data-directory.ts';
import { loadSample, sampleIdentity } from './load.ts';
import { startOfDay } from './sample.ts';

/** Loads the sample, or moves its dates to today; does nothing if today's sample is loaded. */
export async function refreshSample(context: StartContext, lookupUrl: string): Promise<void> {
  const callerToken = secretOf(context.secrets, tokenName('admin'));
  const tls = readSettings(rpcTlsSettings, context.env);
  const record = createRpcClient(RecordService, {
    url: lookupUrl,
    callerToken,
    reason: 'npm start',
    tls,
    timeoutMs: 60_000,
  });
  const today = startOfDay(new Date());
  const loaded = await readFile(context.data.sampleFile, 'utf8').catch(() => '');
  const isEmpty = (await record.getRecordStatus({})).observations === 0n;
  if (!isEmpty && loaded.includes(sampleIdentity(today))) return;
  const sample = await withProgress(
    'loading sample data',
    () => loadSample(record, today, context.signal),
    context.say,
  );
  context.say(
    `sample data: ${sample.companies} fictional companies, ${sample.observations} observations (${sampleIdentity(today)})`,
  );
  await writePrivately(context.data.sampleFile, { loaded: sampleIdentity(today) });
}
