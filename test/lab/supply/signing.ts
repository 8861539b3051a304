import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';

/** Signs with one key and trusts only that key. References are `host/name@sha256:…`. */
export interface Keys {
  sign(reference: string): Promise<void>;
  /** Rejects unless the digest has a signature by this key. */
  verify(reference: string): Promise<void>;
  readonly certificate: string;
}

/** Creates a key with its own certificate in `folder`. notation uses no other configuration. */
export async function makeKeys(notation: string, folder: string, name: string): Promise<Keys> {
  const configuration = path.join(folder, name);
  const home = path.join(configuration, 'notation');
  const call = (...parameters: readonly string[]) =>
    run('env', [`XDG_CONFIG_HOME=${configuration}`, notation, ...parameters]);
  await mkdir(home, { recursive: true });
  await call('cert', 'generate-test', '--default', name);
  await writeFile(path.join(home, 'trustpolicy.json'), JSON.stringify(trustPolicy(name)));
  return {
    async sign(reference) {
      await call('sign', '--insecure-registry', '--key', name, reference);
    },
    async verify(reference) {
      await call('verify', '--insecure-registry', reference);
    },
    certificate: path.join(home, 'localkeys', `${name}.crt`),
  };
}

function trustPolicy(name: string) {
  const policy = {
    name,
    registryScopes: ['*'],
    signatureVerification: { level: 'strict' },
    trustStores: [`ca:${name}`],
    trustedIdentities: ['*'],
  };
  return { version: '1.0', trustPolicies: [policy] };
}
