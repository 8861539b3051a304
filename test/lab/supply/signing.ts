import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';

/** Who signs, and who trusts that key alone. References as `host/name@sha256:…`. */
export interface Keys {
  sign(reference: string): Promise<void>;
  /** Rejects unless a signature of the key is there for what the reference names. */
  verify(reference: string): Promise<void>;
  /** Certificate of the key. */
  readonly certificate: string;
}

/** Makes a key with a certificate of its own below a folder; notation reads and writes nothing elsewhere. */
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
