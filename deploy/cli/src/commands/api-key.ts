import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Credential, CredentialSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect, id, instantArgument } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { plain } from '../output/plain.ts';
import { instant, table } from '../output/table.ts';

const SCOPES: readonly string[] = ['search', 'lookup', 'usage'];
const PAGE = 10_000;
const DAY_MS = 86_400_000;
const EXPIRES = 'expiry, such as 2027-01-01T00:00:00Z, or 90d for 90 days';

export function define(group: Command, run: Runner<Context>): void {
  addChange(group, 'issue', 'Issue a key.', [
    'api-key issue 1 --label production',
    'api-key create 1 --expires 90d --scope lookup --scope usage',
  ])
    .alias('create')
    .argument('<account-id>', 'account id', id)
    .option('--label <text>', 'label of the key')
    .option('--expires <when>', `${EXPIRES} (default: never)`, expiry)
    .addOption(
      new Option('--scope <scope>', 'scope of the key, repeatable (default: all)')
        .choices(SCOPES)
        .argParser(collect(scope)),
    )
    .action(run(issueKey));

  addVerb(group, 'list', 'List the keys of one or all accounts.', ['api-key list 1', 'api-key list --old-pepper'])
    .argument('[account-id]', 'account id (default: all accounts)', id)
    .option('--old-pepper', 'limit to keys that need a pepper other than the newest')
    .action(run(listKeys));

  addChange(group, 'rotate', 'Issue a successor of a key. The old key works until you revoke it.', ['api-key rotate 1'])
    .argument('<key-id>', 'key id', id)
    .option('--expires <when>', `${EXPIRES} (default: the lifetime of the old key)`, expiry)
    .action(
      run(async ({ stack }, credentialId: bigint, { expires }: { expires?: Date }) => {
        const request = { credentialId, ...(expires && { expiresAt: timestampFromDate(expires) }) };
        const answer = issued(await stack.client('ledger', LedgerAdminService).rotateCredential(request));
        return { ...answer, text: `${answer.text}\nRevoke the old key with npx ces api-key revoke ${credentialId}` };
      }),
    );

  addChange(group, 'revoke', 'Revoke a key permanently.', ['api-key revoke 1'])
    .argument('<key-id>', 'key id', id)
    .action(
      run(async ({ stack }, credentialId: bigint) => {
        const { credential } = await stack.client('ledger', LedgerAdminService).revokeCredential({ credentialId });
        const json = credential && plain(CredentialSchema, credential);
        return { json, text: `Key ${credentialId} is revoked. Every gateway refuses it within a second.` };
      }),
    );
}

interface IssueOptions {
  readonly label?: string;
  readonly expires?: Date;
  readonly scope?: readonly string[];
}

async function issueKey({ stack }: Context, accountId: bigint, options: IssueOptions): Promise<Answer> {
  const { label = '', expires, scope: scopes = [] } = options;
  const expiresAt = expires && timestampFromDate(expires);
  const request = { accountId, label, scopes: [...scopes], ...(expiresAt && { expiresAt }) };
  return issued(await stack.client('ledger', LedgerAdminService).issueCredential(request));
}

async function listKeys(
  { stack }: Context,
  accountId: bigint | undefined,
  { oldPepper = false }: { oldPepper?: boolean },
): Promise<Answer> {
  const ledger = stack.client('ledger', LedgerAdminService);
  const credentials: Credential[] = [];
  for (let page = PAGE; page === PAGE; ) {
    const answer = await ledger.listCredentials({
      ...{ accountId: accountId ?? 0n, needsOldPepper: oldPepper },
      ...{ afterId: credentials.at(-1)?.id ?? 0n, limit: PAGE },
    });
    page = answer.credentials.length;
    credentials.push(...answer.credentials);
  }
  const json = credentials.map((credential) => plain(CredentialSchema, credential));
  const empty = oldPepper
    ? 'No key needs an older pepper.'
    : 'There are no API keys: issue one with npx ces api-key issue ACCOUNT_ID.';
  return { json, text: apiKeyTable(json, empty) };
}

function expiry(text: string): Date {
  const [, days] = /^([1-9]\d{0,4})d$/.exec(text) ?? [];
  return days === undefined ? instantArgument(text) : new Date(Date.now() + Number(days) * DAY_MS);
}

function scope(text: string): string {
  if (!SCOPES.includes(text)) throw new InvalidArgumentError(`It must be one of ${SCOPES.join(', ')}.`);
  return text;
}

function issued({ credential, token }: { credential?: Credential | undefined; token: string }): Answer {
  const json = { ...(credential && plain(CredentialSchema, credential)), token };
  return { json, text: `Key ${credential?.id}, shown only once:\n\n  ${token}\n` };
}

function apiKeyTable(apiKeys: readonly Record<string, unknown>[], empty: string): string {
  return table(
    ['API key', 'account', 'prefix', 'label', 'scopes', 'pepper', 'created', 'last used', 'expires', 'revoked'],
    apiKeys.map((apiKey) => [
      Number(apiKey.id),
      Number(apiKey.account_id),
      String(apiKey.prefix ?? ''),
      String(apiKey.label ?? ''),
      (apiKey.scopes as string[]).join(' '),
      pepperText(apiKey),
      instant(apiKey.created_at),
      instant(apiKey.last_used_at),
      instant(apiKey.expires_at),
      instant(apiKey.revoked_at),
    ]),
    empty,
  );
}

/** An older pepper must stay configured; a missing one must be configured again. */
function pepperText({ pepper, pepper_state: state, revoked_at: revokedAt }: Record<string, unknown>): string {
  if (revokedAt !== undefined || state === 'newest') return String(pepper ?? '');
  return `${pepper} (${state})`;
}
