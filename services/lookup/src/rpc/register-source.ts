import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Source } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RegisterSourceRequest,
  RegisterSourceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAuditEntry } from '../db/audit.ts';
import { noteSourceRead, type SourceTerms, registerSource as writeSource } from '../db/source.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkText, checkUri } from '../validation/check-values.ts';
import { type Checked, check } from '../validation/checked.ts';

export async function registerSource(
  { pool }: Dependencies,
  { source }: RegisterSourceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RegisterSourceResponseSchema>> {
  if (!source) throw fail(FailureCode.INVALID_REQUEST, 'source is missing.');
  const checked = checkSource(source);
  if (!checked.ok) throw fail(FailureCode.INVALID_REQUEST, `${checked.reason}.`);
  const { name, licence } = checked.record;
  const changed = await inTransaction(pool, async (client) => {
    const written = await writeSource(client, checked.record);
    const entry = { actor: actorOf(context), action: 'register_source', source: name, reason: licence } as const;
    if (written) await insertAuditEntry(client, entry);
    if (source.readAt) await noteSourceRead(client, name, timestampDate(source.readAt));
    return written;
  });
  return { changed };
}

function checkSource(source: Source): Checked<SourceTerms> {
  return check(() => ({
    name: checkText('name', source.name, 100),
    title: checkText('title', source.title, 200),
    publisher: checkText('publisher', source.publisher, 200),
    licence: checkText('licence', source.licence, 200),
    licenceUri: source.licenceUri === '' ? undefined : checkUri(source.licenceUri),
    attribution: checkText('attribution', source.attribution, 1000),
    homepage: source.homepage === '' ? undefined : checkUri(source.homepage),
  }));
}
