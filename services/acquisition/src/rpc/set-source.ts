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
import { countRawRecords } from '../db/raw-record.ts';
import { newestRuns } from '../db/source-run.ts';
import { changeSettings, readState, setEnabled } from '../db/source-state.ts';
import type { Source } from '../sources/source.ts';
import type { Dependencies } from './dependencies.ts';
import { requireSource } from './require-source.ts';
import { toSourceStatus } from './source-status.ts';

const MAX_REASON = 500;
const MAX_VALUE = 2000;

export async function setSource(
  dependencies: Dependencies,
  request: SetSourceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SetSourceResponseSchema>> {
  const { pool, config } = dependencies;
  const source = requireSource(dependencies, request.name);
  const { enabled, settings } = request;
  const reason = checkReason(request);
  for (const [name, value] of Object.entries(settings)) checkSetting(source, name, value);
  await inTransaction(pool, async (client) => {
    if (enabled !== undefined) await setEnabled(client, source.name, enabled, reason);
    if (Object.keys(settings).length > 0) await changeSettings(client, source.name, settings);
    await insertAudit(client, actorOf(context), 'set_source', { source: source.name, enabled, reason, settings });
  });
  const [state, runs, kept] = await Promise.all([
    readState(pool, source.name),
    newestRuns(pool, [source.name]),
    countRawRecords(pool),
  ]);
  const facts = {
    state,
    secrets: config.secrets,
    lastRun: runs.get(source.name),
    rawRecords: kept.get(source.name) ?? 0n,
  };
  return { source: toSourceStatus(source, facts) };
}

function checkReason({ enabled, reason }: SetSourceRequest): string {
  if (enabled === false && reason.trim() === '')
    throw fail(FailureCode.INVALID_REQUEST, 'Say in reason why the source is disabled.');
  if ([...reason].length > MAX_REASON)
    throw fail(FailureCode.INVALID_REQUEST, `reason must have at most ${MAX_REASON} characters.`);
  return reason.trim();
}

function checkSetting(source: Source, name: string, value: string): void {
  const setting = source.settings?.find((one) => one.name === name);
  if (!setting) throw fail(FailureCode.INVALID_REQUEST, `${source.name} has no setting of that name.`);
  if (setting.secret)
    throw fail(FailureCode.INVALID_REQUEST, `${name} is a secret: set it in CES_SOURCE_SECRETS of acquisition.`);
  const { maxCharacters = MAX_VALUE, check } = setting;
  if (value.length > maxCharacters)
    throw fail(FailureCode.INVALID_REQUEST, `A setting must have at most ${maxCharacters} characters.`);
  const mistake = value === '' ? undefined : check?.(value);
  if (mistake) throw fail(FailureCode.INVALID_REQUEST, mistake);
}
