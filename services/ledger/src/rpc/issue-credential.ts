import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  IssueCredentialRequest,
  IssueCredentialResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { digestOf } from '../credential/pepper.ts';
import { newToken, prefixOf } from '../credential/token.ts';
import { findAccount } from '../db/account.ts';
import { insertAudit } from '../db/audit.ts';
import { type Credential, insertCredential } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound, requireText } from './input.ts';
import { credentialMessage } from './messages.ts';

export async function issueCredential(
  dependencies: Dependencies,
  { accountId, label }: IssueCredentialRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof IssueCredentialResponseSchema>> {
  requireText(label, 'label', 0, 200);
  const { credential, token } = await issue(dependencies, accountId, label, { actor, action: 'IssueCredential' });
  return { credential: credentialMessage(credential), token };
}

/** Makes a credential of an account; the token exists in the answer alone. */
export async function issue(
  { pool, peppers: [pepper], logger }: Dependencies,
  accountId: bigint,
  label: string,
  change: { readonly actor: Actor; readonly action: string; readonly detail?: Readonly<Record<string, unknown>> },
): Promise<{ credential: Credential; token: string }> {
  const account = await findAccount(pool, accountId);
  if (!account) throw notFound('account', accountId);
  const { testMode } = account;
  const token = newToken(testMode);
  const row = {
    accountId,
    testMode,
    label,
    prefix: prefixOf(token),
    pepper: pepper.name,
    digest: digestOf(token, pepper),
  };
  const credential = await inTransaction(pool, async (client) => {
    const made = await insertCredential(client, row);
    const detail = { accountId, label, prefix: row.prefix, ...change.detail };
    await insertAudit(client, { ...change, subjectId: made.id, detail });
    return made;
  });
  logger.info({ account_id: String(accountId), credential_id: String(credential.id) }, 'credential issued');
  return { credential, token };
}
