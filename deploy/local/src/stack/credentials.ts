import { createRpcClient } from '@ces/chassis/rpc/client';
import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { readSettings } from '@ces/chassis/service/settings';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Account } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { CREDENTIALS, type Credentials } from '../state/ready-file.ts';

const SUBSCRIBERS = {
  builder: { plan: 'builder', testMode: false },
  professional: { plan: 'professional', testMode: false },
  sandbox: { plan: 'builder', testMode: true },
} as const;

/** Long, because the sample loads at the same time on a possibly small machine. */
const TIMEOUT_MS = 60_000;

export interface CredentialsOptions {
  readonly baseUrl: string;
  readonly ledgerUrl: string;
  readonly adminToken: string;
  readonly earlier: Partial<Credentials>;
}

export async function ensureCredentials(options: CredentialsOptions): Promise<Credentials> {
  const ledger = createRpcClient(LedgerAdminService, {
    url: options.ledgerUrl,
    callerToken: options.adminToken,
    reason: 'npm start',
    tls: readSettings(rpcTlsSettings, process.env),
    timeoutMs: TIMEOUT_MS,
  });
  const entries = CREDENTIALS.map(async (name) => {
    const earlier = options.earlier[name];
    return [name, earlier && (await isAccepted(options.baseUrl, earlier)) ? earlier : await issue(name)] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Credentials;

  async function issue(name: keyof typeof SUBSCRIBERS): Promise<string> {
    const { plan, testMode } = SUBSCRIBERS[name];
    const label = `npm start: ${name}`;
    const account = (await findAccount(label)) ?? (await ledger.createAccount({ name: label, testMode })).account;
    const accountId = account?.id ?? 0n;
    if (!account?.subscription) await ledger.createSubscription({ accountId, plan });
    return (await ledger.issueCredential({ accountId, label: 'npm start' })).token;
  }

  async function findAccount(name: string): Promise<Account | undefined> {
    for (let afterId = 0n; ; ) {
      const { accounts } = await ledger.listAccounts({ afterId, limit: 1000 });
      const found = accounts.find((account) => account.name === name);
      const last = accounts.at(-1);
      if (found || !last) return found;
      afterId = last.id;
    }
  }
}

/** The usage report is free. Any status but 401 means that the API key is valid. */
async function isAccepted(baseUrl: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/usage`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status !== 401;
}
