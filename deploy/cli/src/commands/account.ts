import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Account, AccountSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Command } from 'commander';
import { addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { plain } from '../output/plain.ts';
import { instant, list, table } from '../output/table.ts';

const PAGE = 1000;

export function define(group: Command, run: Runner<Context>): void {
  addChange(group, 'create <name>', 'Create an account.', ['account create "Example Agency"'])
    .option('--test', 'create a sandbox account, which has only ces_test_ keys')
    .action(
      run(async ({ stack }, name: string, { test }: { test?: boolean }) => {
        const ledger = stack.client('ledger', LedgerAdminService);
        const { account } = await ledger.createAccount({ name, testMode: test ?? false });
        const json = account && plain(AccountSchema, account);
        return { json, text: `${describe(json)}\nNext: npx ces subscription create ${account?.id} --plan builder` };
      }),
    );

  addVerb(group, 'list', 'List accounts with their subscriptions.', ['account list']).action(
    run(async ({ stack }) => {
      const ledger = stack.client('ledger', LedgerAdminService);
      const accounts: Account[] = [];
      for (let page = PAGE; page === PAGE; ) {
        const answer = await ledger.listAccounts({ afterId: accounts.at(-1)?.id ?? 0n, limit: PAGE });
        page = answer.accounts.length;
        accounts.push(...answer.accounts);
      }
      return {
        json: accounts.map((account) => plain(AccountSchema, account)),
        text: table(
          ['account', 'name', 'mode', 'subscription', 'plan', 'status'],
          accounts.map(({ id, name, testMode, subscription }) => [
            id,
            name,
            testMode ? 'test' : 'live',
            subscription?.id,
            subscription?.plan,
            subscription?.status,
          ]),
          'There are no accounts: create one with npx ces account create NAME.',
        ),
      };
    }),
  );
}

function describe(account: Record<string, unknown> | undefined): string {
  return list([
    ['account', Number(account?.id)],
    ['name', String(account?.name)],
    ['mode', account?.test_mode ? 'test' : 'live'],
    ['created', instant(account?.created_at)],
  ]);
}
