import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { advanceSequences } from '@ces/chassis/postgres/advance-sequences';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { AfterRestoreRequest, AfterRestoreResponseSchema } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import { hex, listLatest } from '../db/raw-record.ts';
import { reextract } from '../reprocess/reextract.ts';
import type { Dependencies } from './dependencies.ts';

/** Raw records. Recording their observations takes only a few calls to lookup. */
const PAGE = 200;
const FIRST = { source: '', hash: new Uint8Array() };

/** Page by page. The first page also registers the terms of every source. */
export async function afterRestore(
  { pool, record, registrar, sources, logger }: Dependencies,
  { page, since }: AfterRestoreRequest,
  actor: Actor,
  signal: AbortSignal,
): Promise<MessageInitShape<typeof AfterRestoreResponseSchema>> {
  const steps: { what: string; count: bigint }[] = [];
  if (page === '') {
    await insertAudit(pool, actor, 'after_restore', { since: since && timestampDate(since) });
    steps.push({
      what: 'sequences of acquisition moved on',
      count: BigInt(await inTransaction(pool, advanceSequences)),
    });
    for (const source of sources.all) await registrar.registerAgain(source);
  }
  const records = await listLatest(pool, parsePage(page), since && timestampDate(since), PAGE);
  const { created, amended, known, failed } = await reextract({ record, sources, logger }, records, signal);
  if (created + amended > 0n)
    await insertAudit(pool, actor, 'after_restore', { page, created: Number(created), amended: Number(amended) });
  const last = records.at(-1);
  return {
    steps: [
      ...steps,
      { what: 'raw records read again', count: BigInt(records.length) },
      { what: 'observations recorded that the record had lost', count: created },
      { what: 'observations amended that the record had older', count: amended },
      { what: 'observations that the record had', count: known },
      {
        what: 'raw records that were not recorded again: see the log of acquisition',
        count: BigInt(failed.length),
        unrepaired: [...failed],
      },
    ],
    nextPage: last && records.length === PAGE ? `${last.source} ${hex(last.hash)}` : '',
  };
}

function parsePage(page: string): { readonly source: string; readonly hash: Uint8Array } {
  if (page === '') return FIRST;
  const [, source, hash] = /^(\S+) ([0-9a-f]{64})$/.exec(page) ?? [];
  if (source === undefined || hash === undefined)
    throw fail(FailureCode.INVALID_REQUEST, '`page` is none of this service.');
  return { source, hash: Buffer.from(hash, 'hex') };
}
