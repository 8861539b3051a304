import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Authority } from '../../../support/certificates.ts';
import type { Product } from './product.ts';

export async function readSecret({ api }: Product, namespace: string, name: string, key: string): Promise<string> {
  const { body } = await api.call('GET', pathOf(namespace, name));
  const { data = {} } = body as { data?: Record<string, string> };
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

export async function writeSecret(
  { api }: Product,
  namespace: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
  const url = pathOf(namespace, name);
  const patched = await api.call('PATCH', url, secret, 'application/merge-patch+json');
  const { status, body } = patched.status === 404 ? await api.call('POST', path.dirname(url), secret) : patched;
  if (status >= 300) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
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
  await writeSecret(product, namespace, name, {
    ...{ 'tls.crt': certificate ?? '', 'tls.key': key ?? '', 'ca.crt': ca ?? '' },
  });
}

function pathOf(namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/secrets/${name}`;
}
