import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  RunSourceRequest,
  RunSourceResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { isEnabled, readState, settingsOf } from '../db/source-state.ts';
import { requireSource } from './check-setting.ts';
import type { Dependencies } from './dependencies.ts';

export async function runSource(
  dependencies: Dependencies,
  { name }: RunSourceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RunSourceResponseSchema>> {
  const { pool, config, runs } = dependencies;
  const source = requireSource(dependencies, name);
  const state = await readState(pool, source.name);
  if (!source.requests)
    throw fail(FailureCode.INVALID_REQUEST, `${name} is only ever given files: use npx ces source ingest.`);
  if (!isEnabled(source, state))
    throw fail(FailureCode.INVALID_REQUEST, `${name} is off: npx ces source enable ${name} lets it be used.`);
  const { missing } = settingsOf(source, state, config.secrets);
  if (missing.length > 0)
    throw fail(FailureCode.INVALID_REQUEST, `${name} cannot run without its settings ${missing.join(', ')}.`);
  await insertAudit(pool, actorOf(context), 'run_source', { source: name });
  return { runId: await runs.begin(source, 'manual') };
}
