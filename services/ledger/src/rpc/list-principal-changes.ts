import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPrincipalChangesRequest,
  ListPrincipalChangesResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { readPrincipalChanges } from '../db/principal-change.ts';
import { versionOf } from '../principal/version.ts';
import type { Dependencies } from './dependencies.ts';

const MOST_ACCOUNTS = 1_000;

/** A version that this history has not reached comes from before a restore. */
export async function listPrincipalChanges(
  dependencies: Pick<Dependencies, 'pool' | 'peppers' | 'signingKeys'>,
  { since }: ListPrincipalChangesRequest,
): Promise<MessageInitShape<typeof ListPrincipalChangesResponseSchema>> {
  const read = await readPrincipalChanges(dependencies.pool, since?.version ?? 0n, MOST_ACCOUNTS + 1);
  const { everythingAt, version, accountIds } = read;
  const now = versionOf(read, dependencies);
  const areNamed =
    since?.epoch === now.epoch &&
    since.version >= everythingAt &&
    since.version <= version &&
    accountIds.length <= MOST_ACCOUNTS;
  return areNamed ? { now, accountIds: [...accountIds] } : { now, everything: true };
}
