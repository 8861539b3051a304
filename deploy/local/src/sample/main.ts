import { createRpcClient } from '@ces/chassis/rpc/client';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { loadSample, sampleIdentity } from './load.ts';
import { startOfDay } from './sample.ts';

const { CES_LOOKUP_URL: url, CES_RPC_TOKEN: callerToken } = process.env;
const LONGEST_MS = 600_000;

if (!url || !callerToken)
  throw new StartupError(
    'Set CES_LOOKUP_URL to the lookup service and CES_RPC_TOKEN to the token that loads the sample data.',
  );
const record = createRpcClient(RecordService, { url, callerToken, reason: 'sample', timeoutMs: 60_000 });
const today = startOfDay(new Date());
const sample = await loadSample(record, today, AbortSignal.timeout(LONGEST_MS)).catch((error: Error) => {
  throw new StartupError(
    `the sample could not be loaded (${error.message}): check that the lookup service is ready, then try again.`,
  );
});
process.stdout.write(
  `sample data: ${sample.companies} fictional companies, ${sample.observations} observations (${sampleIdentity(today)})\n`,
);
