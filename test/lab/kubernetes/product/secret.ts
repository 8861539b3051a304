import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Authority } from '../../../support/certificates.ts';
import { apply, read } from '../kubectl.ts';
import type { Product } from './product.ts';

export async function readSecret(namespace: string, name: string, key: string): Promise<string> {
  const { data = {} } = await read<{ data?: Record<string, string> }>(
    `/api/v1/namespaces/${namespace}/secrets/${name}`,
  );
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

export async function writeSecret(
  namespace: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  await apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data });
}

/** Writes a Secret in cert-manager's format. */
export async function writeCertificate(
  product: Product,
  namespace: string,
  name: string,
  authority: Authority,
  names: readonly string[],
): Promise<void> {
  const folder = path.join(product.folder, 'certificates', namespace, name);
  await mkdir(folder, { recursive: true });
  const { certFile, keyFile, caFile } = await authority.issue(folder, names);
  const [certificate, key, ca] = await Promise.all([certFile, keyFile, caFile].map((file) => readFile(file, 'utf8')));
  await writeSecret(namespace, name, { 'tls.crt': certificate ?? '', 'tls.key': key ?? '', 'ca.crt': ca ?? '' });
}
