import { readFile } from 'node:fs/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { readSettings } from '@ces/chassis/service/settings';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { withProgress } from '../../bin/progress.mjs';
import { writePrivately } from '../state/data-directory.ts';
import { loadSample, sampleIdentity } from './load.ts';
import { startOfDay } from './sample.ts';

export interface RefreshOptions {
  readonly lookupUrl: string;
  readonly adminToken: string;
  readonly env: NodeJS.ProcessEnv;
  readonly sampleFile: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Loads the sample, or moves its dates to today; does nothing if today's sample is loaded. */
export async function refreshSample(options: RefreshOptions): Promise<void> {
  const { sampleFile, say, signal } = options;
  const record = createRpcClient(RecordService, {
    url: options.lookupUrl,
    callerToken: options.adminToken,
    reason: 'npm start',
    tls: readSettings(rpcTlsSettings, options.env),
    timeoutMs: 60_000,
  });
  const today = startOfDay(new Date());
  const loaded = await readFile(sampleFile, 'utf8').catch(() => '');
  const isEmpty = (await record.getRecordStatus({})).observations === 0n;
  if (!isEmpty && loaded.includes(sampleIdentity(today))) return;
  const sample = await withProgress('loading sample data', () => loadSample(record, today, signal), say);
  say(
    `sample data: ${sample.companies} fictional companies, ${sample.observations} observations (${sampleIdentity(today)})`,
  );
  await writePrivately(sampleFile, { loaded: sampleIdentity(today) });
}
