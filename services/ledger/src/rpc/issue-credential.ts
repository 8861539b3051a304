import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction, violatedConstraint } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  IssueCredentialRequest,
  IssueCredentialResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { digestsOf } from '../credential/pepper.ts';
import type { Scope } from '../credential/scope.ts';
import { newToken, prefixOf } from '../credential/token.ts';
import { findAccount } from '../db/account.ts';
import { insertAudit } from '../db/audit.ts';
import { type Credential, insertCredential } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, notFound, requireInstant, requireScopes, requireText } from './input.ts';
import { credentialMessage } from './messages.ts';

export async function issueCredential(
  dependencies: Dependencies,
  { accountId, label, expiresAt, scopes }: IssueCredentialRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof IssueCredentialResponseSchema>> {
  const wanted = {
    accountId,
    label: requireText(label, 'label', 0, 200),
    scopes: requireScopes(scopes),
    expiresAt: expiresAt && requireInstant(expiresAt, 'expires_at'),
  };
  const { credential, token } = await issue(dependencies, wanted, { actor, action: 'IssueCredential' });
  return { credential: credentialMessage(credential, dependencies.peppers), token };
}

interface Wanted {
  readonly accountId: bigint;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | undefined;
}

export async function issue(
  { pool, peppers, logger }: Dependencies,
  wanted: Wanted,
  change: { readonly actor: Actor; readonly action: string; readonly detail?: Readonly<Record<string, unknown>> },
): Promise<{ credential: Credential; token: string }> {
  const { accountId, label, scopes, expiresAt } = wanted;
  const account = await findAccount(pool, accountId);
  if (!account) throw notFound('account', accountId);
  const { testMode } = account;
  const token = newToken(testMode);
  const [newest, former] = digestsOf(token, peppers);
  const prefix = prefixOf(token);
  const credential = await inTransaction(pool, async (client) => {
    const made = await insertCredential(client, { ...wanted, testMode, prefix, former, newest });
    const detail = { accountId, label, prefix, scopes, expiresAt, ...change.detail };
    await insertAudit(client, { ...change, subjectId: made.id, detail });
    return made;
  }).catch(explainExpiry);
  logger.info({ account_id: String(accountId), credential_id: String(credential.id) }, 'credential issued');
  return { credential, token };
}

function explainExpiry(error: unknown): never {
  if (violatedConstraint(error) === 'credential_expires_later') throw invalid('`expires_at` must be in the future.');
  throw error;
}
