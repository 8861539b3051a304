import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { createAuthority } from './certificates.ts';

/** What a token says, where it is not the usual. */
export interface TokenClaims {
  /** Name of the account in the namespace `ces`; absent: `ces-gateway`. */
  readonly account?: string;
  readonly namespace?: string;
  /** In place of both. */
  readonly subject?: string;
  readonly issuer?: string;
  readonly audience?: string | string[];
  /** Seconds from now. */
  readonly beginsIn?: number;
  readonly endsIn?: number;
  /** The key that signs; absent: the newest that was made. */
  readonly key?: string;
}

interface Key {
  readonly alg: string;
  readonly signs: CryptoKey;
  readonly published: JWK;
}

/** What the bearer of a pod's own token is: without it the keys are not told. */
const BEARER = 'own-token-of-the-pod';

/** Issues tokens of ServiceAccounts as a cluster does, and tells its keys over HTTPS to who shows a bearer. */
export class TestIssuer implements AsyncDisposable {
  readonly name = 'https://kubernetes.default.svc.cluster.local';
  readonly folder: string;
  /** What the address of its keys answers instead, while it is set. */
  answer: { readonly status: number; readonly body: string } | 'none' | undefined;
  /** Times that it was asked for its keys. */
  asked = 0;
  readonly #keys = new Map<string, Key>();
  readonly #server: https.Server;
  #published: readonly string[] = [];

  private constructor(folder: string, server: https.Server) {
    this.folder = folder;
    this.#server = server;
    server.on('request', ({ headers, url }, response) => {
      this.asked += 1;
      if (this.answer === 'none') response.destroy();
      else if (url !== '/openid/v1/jwks') response.writeHead(404).end();
      else if (headers.authorization !== `Bearer ${BEARER}`) response.writeHead(403).end();
      else response.writeHead(this.answer?.status ?? 200).end(this.answer?.body ?? this.keySet());
    });
  }

  /** With one key of RS256, `first`, published. */
  static async start(): Promise<TestIssuer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ces-issuer-'));
    const { certFile, keyFile } = await (await createAuthority()).issue(folder, ['127.0.0.1']);
    await writeFile(path.join(folder, 'bearer'), `${BEARER}\n`);
    const server = https.createServer({ cert: await readFile(certFile), key: await readFile(keyFile) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new TestIssuer(folder, server);
    await issuer.addKey('first', 'RS256');
    issuer.publish('first');
    return issuer;
  }

  /** Settings of a service that takes its tokens for `audience`, with keys from its address. */
  settings(audience: string, accounts: string): Record<string, string> {
    return {
      CES_RPC_SERVICE_ACCOUNTS: accounts,
      CES_RPC_SERVICE_ACCOUNT_ISSUER: this.name,
      CES_RPC_SERVICE_ACCOUNT_AUDIENCE: audience,
      CES_RPC_SERVICE_ACCOUNT_KEYS_URL: `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/openid/v1/jwks`,
      CES_RPC_SERVICE_ACCOUNT_KEYS_CA_FILE: path.join(this.folder, 'ca.crt'),
      CES_RPC_SERVICE_ACCOUNT_KEYS_TOKEN_FILE: path.join(this.folder, 'bearer'),
    };
  }

  /** The same with keys from a file, in a folder that outlives the issuer. */
  async settingsOfFile(audience: string, accounts: string) {
    const folder = await mkdtemp(path.join(tmpdir(), 'ces-issuer-keys-'));
    const file = path.join(folder, 'jwks.json');
    await writeFile(file, this.keySet());
    const { CES_RPC_SERVICE_ACCOUNT_KEYS_URL: _, ...rest } = this.settings(audience, accounts);
    return { folder, file, env: { ...rest, CES_RPC_SERVICE_ACCOUNT_KEYS_FILE: file } };
  }

  async addKey(name: string, alg: 'RS256' | 'ES256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const published = { ...(await exportJWK(publicKey)), kid: name, use: 'sig', alg };
    this.#keys.set(name, { alg, signs: privateKey, published });
  }

  /** From now on these keys are told, and no others. */
  publish(...names: readonly string[]): void {
    this.#published = names;
  }

  /** The keys that are told, as a cluster writes them. */
  keySet(): string {
    return JSON.stringify({ keys: this.#published.map((name) => this.#keys.get(name)?.published) });
  }

  publicKey(name: string): JWK {
    return this.#key(name).published;
  }

  /** A token as the kubelet asks for it; absent: one that the gateway shows to the ledger for the next ten minutes. */
  async token(claims: TokenClaims = {}): Promise<string> {
    const { account = 'ces-gateway', namespace = 'ces', beginsIn = -1, endsIn = 600 } = claims;
    const kid = claims.key ?? [...this.#keys.keys()].at(-1) ?? '';
    const now = Math.floor(Date.now() / 1_000);
    const bound = { namespace, serviceaccount: { name: account, uid: 'f2b5f2a4' }, pod: { name: 'p', uid: '9d1c' } };
    return await this.sign(
      {
        aud: claims.audience ?? ['ces-ledger'],
        exp: now + endsIn,
        iat: now + Math.min(beginsIn, 0),
        iss: claims.issuer ?? this.name,
        jti: crypto.randomUUID(),
        'kubernetes.io': bound,
        nbf: now + beginsIn,
        sub: claims.subject ?? `system:serviceaccount:${namespace}:${account}`,
      },
      kid,
    );
  }

  async sign(payload: JWTPayload, kid: string): Promise<string> {
    const { alg, signs } = this.#key(kid);
    return await new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(signs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.folder, { recursive: true });
  }

  #key(name: string): Key {
    const key = this.#keys.get(name);
    if (!key) throw new Error(`there is no key ${name}`);
    return key;
  }
}

/** A folder of tokens as the kubelet mounts it: links to files behind a link to a folder, which is swapped. */
export class MountedTokens implements AsyncDisposable {
  readonly folder: string;
  #version = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** With these tokens, by the services that they are for. */
  static async create(tokens: Readonly<Record<string, string>>): Promise<MountedTokens> {
    const mounted = new MountedTokens(await mkdtemp(path.join(tmpdir(), 'ces-account-')));
    await mounted.replace(tokens);
    for (const name of Object.keys(tokens)) await symlink(path.join('..data', name), path.join(mounted.folder, name));
    return mounted;
  }

  async replace(tokens: Readonly<Record<string, string>>): Promise<void> {
    this.#version += 1;
    const name = `..version-${this.#version}`;
    await mkdir(path.join(this.folder, name));
    for (const [service, token] of Object.entries(tokens))
      await writeFile(path.join(this.folder, name, service), token);
    await symlink(name, path.join(this.folder, '..next'));
    await rename(path.join(this.folder, '..next'), path.join(this.folder, '..data'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
