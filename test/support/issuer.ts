import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { createAuthority } from './certificates.ts';

export interface TokenClaims {
  /** Name of the ServiceAccount in namespace `ces`. Default `ces-gateway`. */
  readonly account?: string;
  readonly namespace?: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly audience?: string | string[];
  readonly beginsIn?: number;
  readonly endsIn?: number;
  readonly key?: string;
}

interface Key {
  readonly alg: string;
  readonly signs: CryptoKey;
  readonly published: JWK;
}

/** Content of the pod's own token. The key endpoint requires it. */
const BEARER = 'own-token-of-the-pod';

/**
 * Issues ServiceAccount tokens as a cluster does, and serves its keys over HTTPS to callers with
 * the bearer token.
 */
export class TestIssuer implements AsyncDisposable {
  readonly name = 'https://kubernetes.default.svc.cluster.local';
  readonly folder: string;
  /** Replaces the answer of the key endpoint while set. `none` closes the connection. */
  answer: { readonly status: number; readonly body: string } | 'none' | undefined;
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

  publish(...names: readonly string[]): void {
    this.#published = names;
  }

  /** The published keys as a JWK Set (RFC 7517 §5). */
  keySet(): string {
    return JSON.stringify({ keys: this.#published.map((name) => this.#keys.get(name)?.published) });
  }

  publicKey(name: string): JWK {
    return this.#key(name).published;
  }

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

/**
 * A folder of tokens as the kubelet mounts it: symbolic links through a `..data` link that is
 * swapped atomically.
 */
export class MountedTokens implements AsyncDisposable {
  readonly folder: string;
  #version = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

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
