import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { run } from './run.ts';

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');
const START = path.join(ROOT, 'deploy/local/bin/run.mjs');
const CES = path.join(ROOT, 'deploy/cli/bin/ces.mjs');
const NO_LIMIT = '1000000';

/** The gateway that the environment names, or one of a stack of its own that is called as fast as it answers. */
export async function findGateway(folder: string): Promise<Gateway> {
  const { CES_OPENAPI_URL: url, CES_OPENAPI_TOKEN: token } = process.env;
  if (url && token) return { url, token, [Symbol.asyncDispose]: async () => undefined };
  const environment = { CES_DATA_DIR: path.join(folder, 'data') };
  await run(process.execPath, [START, 'start', '--port', '0', '--detach'], {
    ...environment,
    CES_CREDENTIAL_CALLS_PER_SECOND: NO_LIMIT,
    CES_CREDENTIAL_BURST: NO_LIMIT,
    CES_ADDRESS_FAILURES_PER_SECOND: NO_LIMIT,
    CES_POLLS_PER_SECOND: NO_LIMIT,
    CES_ACCOUNT_PAGES_PER_SECOND: NO_LIMIT,
  });
  const stop = () => run(process.execPath, [START, 'stop'], environment);
  try {
    await liftAllowance(environment);
    const ready = JSON.parse(await readFile(path.join(environment.CES_DATA_DIR, 'ready.json'), 'utf8'));
    return { url: ready.base_url, token: ready.credentials.professional, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Gives the professional account numbers that are not reached. */
async function liftAllowance(environment: Readonly<Record<string, string>>): Promise<void> {
  const ces = async (...parameters: string[]) => {
    const env = { ...process.env, ...environment };
    return (await promisify(execFile)(process.execPath, [CES, ...parameters], { env })).stdout;
  };
  const accounts: readonly { readonly subscription: { readonly id: number; readonly plan: string } }[] = JSON.parse(
    await ces('account', 'list', '--json'),
  );
  const id = accounts.find(({ subscription }) => subscription.plan === 'professional')?.subscription.id;
  const limits = ['window', 'week', 'period'].flatMap((interval) =>
    ['request_units', 'delivered_units'].flatMap((unit) => ['--limit', `${interval}.${unit}=${NO_LIMIT}`]),
  );
  await ces('subscription', 'set', String(id), ...limits);
}
