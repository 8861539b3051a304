import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { RequestSizes } from '@ces/chassis/rpc/message-size';
import type {
  IngestDocumentRequest,
  IngestDocumentResponseSchema,
  IngestedFile,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { findRun } from '../db/source-run.ts';
import { readState, settingsOf } from '../db/source-state.ts';
import { readFile } from '../run/read-file.ts';
import { requireSource } from './check-setting.ts';
import type { Dependencies } from './dependencies.ts';
import { toRunMessage } from './run-message.ts';

const MAX_CHUNK_BYTES = 4 * 1024 * 1024;
const FRAME_BYTES = 1024;

export const requestSizes: RequestSizes = {
  'ces.acquisition.v1.AcquisitionAdminService': { IngestDocument: MAX_CHUNK_BYTES + FRAME_BYTES },
};

export async function ingestDocument(
  dependencies: Dependencies,
  requests: AsyncIterable<IngestDocumentRequest>,
  context: HandlerContext,
): Promise<MessageInitShape<typeof IngestDocumentResponseSchema>> {
  const { pool, config } = dependencies;
  const parts = requests[Symbol.asyncIterator]();
  const file = checkFile((await parts.next()).value);
  const source = requireSource(dependencies, file.source);
  const state = await readState(pool, source.name);
  if (state.enabled === false)
    throw fail(FailureCode.INVALID_REQUEST, `${source.name} is disabled (${state.reason}): enable it first.`);
  await insertAudit(pool, actorOf(context), 'ingest_document', { source: source.name, document: file.name });
  const { values: settings } = settingsOf(source, state, config.secrets);
  const given = { name: file.name, bytes: bytesOf(parts, Number(file.size)), settings };
  const run = await findRun(pool, await readFile(dependencies, source, given, context.signal));
  if (!run) throw new Error('a run is gone');
  return { run: toRunMessage(run) };
}

function checkFile(first: IngestDocumentRequest | undefined): IngestedFile {
  if (first?.part.case !== 'file') throw fail(FailureCode.INVALID_REQUEST, 'The first message must name the file.');
  const file = first.part.value;
  if (!/^[^/\\\0]{1,255}$/.test(file.name))
    throw fail(FailureCode.INVALID_REQUEST, 'name must be that of a file, without folders.');
  return file;
}

async function* bytesOf(parts: AsyncIterator<IngestDocumentRequest>, size: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  for (;;) {
    const next = await parts.next();
    if (next.done) break;
    const { part } = next.value;
    if (part.case !== 'chunk' || part.value.length > MAX_CHUNK_BYTES)
      throw fail(FailureCode.INVALID_REQUEST, `Parts of a file must be chunks of at most ${MAX_CHUNK_BYTES} bytes.`);
    received += part.value.length;
    yield part.value;
  }
  if (received !== size) throw new Error(`the file ended after ${received} of ${size} bytes`);
}
