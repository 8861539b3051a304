import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BrokerConfig } from '@ces/chassis/nats/settings';
import { type NatsServer, startNats } from '@ces/servers/nats/server';
import { freePort } from '@ces/servers/ports';
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt';
import { nkeys } from '@nats-io/transport-node';

const CACHE = path.resolve(import.meta.dirname, '../../.cache');

export interface ConfiguredNats extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly storeDirectory: string;
  log(): Promise<string>;
  reload(): void;
}

export async function createFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-nats-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

export async function startConfiguredNats(folder: string, configuration: string, at = 0): Promise<ConfiguredNats> {
  const port = at || (await freePort(0));
  const name = `server-${port}`;
  const configFile = path.join(folder, `${name}.conf`);
  const logFile = path.join(folder, `${name}.log`);
  await writeFile(configFile, configuration);
  const options = { storeDirectory: path.join(folder, name), port, cacheDirectory: CACHE, logFile, configFile };
  const server: NatsServer = await startNats(options);
  return {
    url: server.url,
    port,
    pid: server.pid,
    storeDirectory: options.storeDirectory,
    log: () => readFile(logFile, 'utf8'),
    reload: () => void process.kill(server.pid, 'SIGHUP'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * One authentication method: the server's configuration, and right and wrong settings of a client.
 */
export interface Access {
  readonly configuration: string;
  readonly right: Partial<BrokerConfig>;
  readonly wrong: Partial<BrokerConfig>;
}

/**
 * Creates the configuration and the files of a method in `folder`. `secret` is the right secret of
 * methods that have one.
 */
export const ACCESSES: Readonly<Record<string, (folder: string, secret?: string) => Promise<Access>>> = {
  'a name and a password': async () => ({
    configuration: 'authorization { user: ces, password: right-secret }',
    right: { natsUser: 'ces', natsPassword: 'right-secret' },
    wrong: { natsUser: 'ces', natsPassword: 'wrong-secret' },
  }),
  'a token': async () => ({
    configuration: 'authorization { token: right-secret }',
    right: { natsToken: 'right-secret' },
    wrong: { natsToken: 'wrong-secret' },
  }),
  'a name and a password in a file': async (folder, secret = 'right-secret') => ({
    configuration: `authorization { user: ces, password: ${secret} }`,
    right: { natsUser: 'ces', natsPasswordFile: await writeSecret(folder, 'right', secret) },
    wrong: { natsUser: 'ces', natsPasswordFile: await writeSecret(folder, 'wrong', 'wrong-secret') },
  }),
  'a token in a file': async (folder, secret = 'right-secret') => ({
    configuration: `authorization { token: ${secret} }`,
    right: { natsTokenFile: await writeSecret(folder, 'right', secret) },
    wrong: { natsTokenFile: await writeSecret(folder, 'wrong', 'wrong-secret') },
  }),
  'an nkey': async (folder) => {
    const [known, stranger] = [nkeys.createUser(), nkeys.createUser()];
    return {
      configuration: allowNkey(known),
      right: { natsNkeyFile: await writeSeed(folder, 'right', known) },
      wrong: { natsNkeyFile: await writeSeed(folder, 'wrong', stranger) },
    };
  },
  'a file of credentials': async (folder) => {
    const operator = nkeys.createOperator();
    const [account, other, system] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
    const operatorJwt = await encodeOperator('tests', operator);
    const known = async (name: string, pair: KeyPair) =>
      `${pair.getPublicKey()}: ${await encodeAccount(name, pair, { limits: { conn: -1, subs: -1, data: -1, payload: -1 } }, { signer: operator })}`;
    const write = async (name: string, issuer: KeyPair) => {
      const user = nkeys.createUser();
      const file = path.join(folder, `${name}.creds`);
      await writeFile(file, fmtCreds(await encodeUser(name, user, issuer), user));
      return { natsCredentialsFile: file };
    };
    return {
      configuration: `operator: ${operatorJwt}
resolver: MEMORY
system_account: ${system.getPublicKey()}
resolver_preload: { ${await known('ces', account)}, ${await known('system', system)} }`,
      right: await write('right', account),
      wrong: await write('wrong', other),
    };
  },
};

type KeyPair = ReturnType<typeof nkeys.createUser>;

function allowNkey(pair: KeyPair): string {
  return `authorization { users: [ { nkey: ${pair.getPublicKey()} } ] }`;
}

export function filesOf(access: Partial<BrokerConfig>): [keyof BrokerConfig, string][] {
  return Object.entries(access).filter(([setting]) => setting.endsWith('File')) as [keyof BrokerConfig, string][];
}

async function writeSeed(folder: string, name: string, pair: KeyPair): Promise<string> {
  return await writeSecret(folder, `${name}.nk`, Buffer.from(pair.getSeed()).toString());
}

async function writeSecret(folder: string, name: string, secret: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `${secret}\n`);
  return file;
}
