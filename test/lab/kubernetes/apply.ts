import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { Api, KubernetesObject } from './api.ts';

export async function applyFile(api: Api, file: string): Promise<void> {
  for (const document of parseAllDocuments(await readFile(file, 'utf8')))
    await api.apply(document.toJS() as KubernetesObject);
}

export async function remove(api: Api, path: string): Promise<void> {
  const { status, body } = await api.call('DELETE', path);
  if (status >= 300 && status !== 404) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
}
