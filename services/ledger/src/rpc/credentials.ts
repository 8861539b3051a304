import { inTransaction, violatedConstraint } from '@ces/chassis/postgres/pool';
import { type Actor, actorOf } from '@ces/chassis/rpc/caller';
import type { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { digestsOf } from '../credential/pepper.ts';
import { newToken, prefixOf } from '../credential/token.ts';
import { findAccount } from '../db/account.ts';
import { insertAudit } from '../db/audit.ts';
import {
  type Credential,
  findCredential,
  insertCredential,
  listCredentials,
  revokeCredential,
} from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, notFound, requireInstant, requirePageSize, requireScopes, requireText } from './input.ts';
import { credentialMessage } from './messages.ts';

const LARGEST_PAGE = 10_000;

export function credentialMethods({ pool, peppers, clock, logger }: Dependencies) {
  const issue = async (
    wanted: Pick<Credential, 'accountId' | 'label' | 'scopes' | 'expiresAt'>,
    change: { readonly actor: Actor; readonly action: string; readonly detail?: Readonly<Record<string, unknown>> },
  ) => {
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
    return { credential: credentialMessage(credential, peppers), token };
  };
  return {
    async issueCredential({ accountId, label, expiresAt, scopes }, context) {
      const wanted = {
        accountId,
        label: requireText(label, 'label', 0, 200),
        scopes: requireScopes(scopes),
        expiresAt: expiresAt && requireInstant(expiresAt, 'expires_at'),
      };
      return await issue(wanted, { actor: actorOf(context), action: 'IssueCredential' });
    },
    async listCredentials({ accountId, afterId, limit, needsOldPepper }) {
      const credentials = await listCredentials(pool, {
        accountId: accountId || undefined,
        afterId,
        limit: requirePageSize(limit, LARGEST_PAGE, LARGEST_PAGE),
        notAtPepper: needsOldPepper ? peppers[0].name : undefined,
      });
      return { credentials: credentials.map((credential) => credentialMessage(credential, peppers)) };
    },
    async rotateCredential({ credentialId, expiresAt }, context) {
      const old = await findCredential(pool, credentialId);
      if (!old) throw notFound('credential', credentialId);
      if (old.revokedAt) throw invalid('A revoked credential has no successor; issue a new one.');
      const newExpiry = expiresAt ? requireInstant(expiresAt, 'expires_at') : expiryLike(old, await clock.now());
      const change = { actor: actorOf(context), action: 'RotateCredential', detail: { successorOf: credentialId } };
      return await issue({ ...old, expiresAt: newExpiry }, change);
    },
    async revokeCredential({ credentialId }, context) {
      const revoked = await inTransaction(pool, async (client) => {
        const credential = await revokeCredential(client, credentialId);
        if (credential)
          await insertAudit(client, {
            actor: actorOf(context),
            action: 'RevokeCredential',
            subjectId: credentialId,
            detail: { accountId: credential.accountId, prefix: credential.prefix },
          });
        return credential;
      });
      if (revoked) logger.info({ credential_id: String(credentialId) }, 'credential revoked');
      const credential = revoked ?? (await findCredential(pool, credentialId));
      if (!credential) throw notFound('credential', credentialId);
      return { credential: credentialMessage(credential, peppers) };
    },
  } satisfies Partial<ServiceImpl<typeof LedgerAdminService>>;
}

/** Uses the clock that ends it. Undefined if the old one never expires. */
function expiryLike({ createdAt, expiresAt }: Credential, now: Date): Date | undefined {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

function explainExpiry(error: unknown): never {
  if (violatedConstraint(error) === 'credential_expires_later') throw invalid('`expires_at` must be in the future.');
  throw error;
}
