import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  SetSourceRequest,
  SetSourceResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { changeSettings, setEnabled } from '../db/source-state.ts';
import { checkSetting, requireSource } from './check-setting.ts';
import type { Dependencies } from './dependencies.ts';
import { readStatuses } from './source-status.ts';

const MAX_REASON = 500;

export async function setSource(
  dependencies: Dependencies,
  request: SetSourceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SetSourceResponseSchema>> {
  const { pool } = dependencies;
  const source = requireSource(dependencies, request.name);
  const { enabled, settings } = request;
  const reason = checkReason(request);
  for (const [name, value] of Object.entries(settings)) checkSetting(source, name, value);
  await inTransaction(pool, async (client) => {
    if (enabled !== undefined) await setEnabled(client, source.name, enabled, reason);
    if (Object.keys(settings).length > 0) await changeSettings(client, source.name, settings);
    await insertAudit(client, actorOf(context), 'set_source', { source: source.name, enabled, reason, settings });
  });
  const [status] = await readStatuses(dependencies, [source]);
  return status ? { source: status } : {};
}

function checkReason({ enabled, reason }: SetSourceRequest): string {
  if (enabled === false && reason.trim() === '')
    throw fail(FailureCode.INVALID_REQUEST, 'Say in reason why the source is disabled.');
  if ([...reason].length > MAX_REASON)
    throw fail(FailureCode.INVALID_REQUEST, `reason must have at most ${MAX_REASON} characters.`);
  return reason.trim();
}
