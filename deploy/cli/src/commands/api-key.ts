import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Credential, CredentialSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Command } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, addGroup, addVerb, type Runner } from '../command.ts';
import { plain } from '../output/plain.ts';
import { instant, table } from '../output/table.ts';

export function addApiKey(program: Command, run: Runner): void {
  const group = addGroup(program, 'key', 'bearers of an account; a token is shown once, when it is issued');

  addChange(group, 'issue', 'issues a key', ['key issue 1 --label production'])
    .argument('<account-id>', 'the account', id)
    .option('--label <text>', 'what tells it from others')
    .action(
      run(async ({ stack }, accountId: bigint, { label = '' }: { label?: string }) =>
        issued(await stack.client('ledger', LedgerAdminService).issueCredential({ accountId, label })),
      ),
    );

  addVerb(group, 'list', 'lists the keys of an account', ['key list 1'])
    .argument('<account-id>', 'the account', id)
    .action(
      run(async ({ stack }, accountId: bigint) => {
        const { credentials } = await stack.client('ledger', LedgerAdminService).listCredentials({ accountId });
        const json = credentials.map((credential) => plain(CredentialSchema, credential));
        return { json, text: apiKeyTable(json) };
      }),
    );

  addChange(group, 'rotate', 'issues a successor; the old key works until it is revoked', ['key rotate 1'])
    .argument('<key-id>', 'the key', id)
    .action(
      run(async ({ stack }, credentialId: bigint) => {
        const answer = issued(await stack.client('ledger', LedgerAdminService).rotateCredential({ credentialId }));
        return { ...answer, text: `${answer.text}\nThe old one works until: npx ces key revoke ${credentialId}` };
      }),
    );

  addChange(group, 'revoke', 'revokes a key for good', ['key revoke 1'])
    .argument('<key-id>', 'the key', id)
    .action(
      run(async ({ stack }, credentialId: bigint) => {
        const { credential } = await stack.client('ledger', LedgerAdminService).revokeCredential({ credentialId });
        const json = credential && plain(CredentialSchema, credential);
        return { json, text: `Key ${credentialId} is revoked; it is refused everywhere within a second.` };
      }),
    );
}

function issued({ credential, token }: { credential?: Credential | undefined; token: string }): Answer {
  const json = { ...(credential && plain(CredentialSchema, credential)), token };
  return { json, text: `Key ${credential?.id}, shown this once:\n\n  ${token}\n` };
}

function apiKeyTable(apiKeys: readonly Record<string, unknown>[]): string {
  return table(
    ['key', 'prefix', 'label', 'created', 'last used', 'revoked'],
    apiKeys.map((apiKey) => [
      Number(apiKey.id),
      String(apiKey.prefix ?? ''),
      String(apiKey.label ?? ''),
      instant(apiKey.created_at),
      instant(apiKey.last_used_at),
      instant(apiKey.revoked_at),
    ]),
    'This account has no keys: issue one with npx ces key issue ACCOUNT_ID.',
  );
}
