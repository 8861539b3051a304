import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readCertificates } from '@ces/chart/check/certificates';
import { CHART, type Manifest } from '@ces/chart/check/render';
import { listComponents } from '@ces/chart/components';
import { clusterSecretFiles, drawSecrets, secretFiles } from '@ces/chart/secrets';
import { DATABASE_SERVICES } from '@ces/topology/services';
import { parse } from 'yaml';
import { keysNeededByChart } from './needed-keys.ts';

type Keys = Record<string, string>;
/** By their names. */
export type Secrets = ReadonlyMap<string, Keys>;

const CERTIFICATE: Keys = { 'tls.crt': 'certificate', 'tls.key': 'key', 'ca.crt': 'authority' };

/** The Secrets of an example: names and keys as the guides say, as the example says instead, or as cert-manager makes them. */
export async function secretsOf(example: string): Promise<Secrets> {
  const values = parse(await readFile(path.join(CHART, 'examples', example), 'utf8'));
  const named = new Map<string, Keys>();
  const add = (name: string, keys: Keys) => named.set(name, { ...named.get(name), ...keys });
  const drawn = drawSecrets();
  const isBundled = values.postgres?.cloudnativepg?.enabled === true;
  const files = isBundled
    ? clusterSecretFiles(drawn, 'operator')
    : secretFiles(drawn, (service) => `${service}:5432`, 'operator');
  // What CloudNativePG would draw.
  if (isBundled) for (const { name } of DATABASE_SERVICES) add(`ces-${name}-app`, { uri: 'postgresql://owner' });
  for (const [file, keys] of files) {
    const program = values.components?.[file.replace('-owner', '')];
    const own = file.endsWith('-owner') ? program?.existingOwnerSecret : program?.existingSecret;
    add(own ?? `ces-${file}`, keys);
  }
  if (values.rpc?.tls?.enabled) for (const { secretName } of await readCertificates()) add(secretName, CERTIFICATE);
  const { secretName, ownerSecretName } = values.postgres?.tls ?? {};
  for (const template of [secretName, ownerSecretName])
    for (const { name } of DATABASE_SERVICES) if (template) add(template.replace('{program}', name), CERTIFICATE);
  const { credentials, tls } = values.nats;
  for (const { name } of listComponents()) {
    if (credentials?.secretName)
      add(credentials.secretName.replace('{program}', name), { 'nats.creds': 'credentials' });
    if (tls?.secretName) add(tls.secretName.replace('{program}', name), CERTIFICATE);
  }
  return named;
}

/** The same for a chart of before, which may need others: whoever installed it has them by the guides of its day. */
export function withNeeded(secrets: Secrets, manifests: readonly Manifest[]): Secrets {
  const all = new Map(secrets);
  for (const { secret, key } of keysNeededByChart(manifests))
    all.set(secret, { [key]: 'of its day', ...all.get(secret) });
  return all;
}
