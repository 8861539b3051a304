import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@ces/chart/programs/programs';
import type { Tool } from './tools.ts';

export const TYPES = {
  spdx: 'application/spdx+json',
  cyclonedx: 'application/vnd.cyclonedx+json',
  provenance: 'application/vnd.in-toto+json',
} as const;

/** Attaches a file as an OCI referrer, without its folder; returns the reference to sign. */
export async function attach(oras: string, image: string, type: string, file: string): Promise<string> {
  const options = ['--plain-http', '--format', 'json', '--artifact-type', type];
  const call = [`--chdir=${path.dirname(file)}`, oras, 'attach', ...options, image, `${path.basename(file)}:${type}`];
  const printed = await run('env', call);
  return at(image, (JSON.parse(printed) as { readonly digest: string }).digest);
}

export async function attachedTo(oras: Tool, image: string, type: string): Promise<readonly string[]> {
  const printed = await oras('discover', '--plain-http', '--format', 'json', '--artifact-type', type, image);
  const found = JSON.parse(printed) as { readonly referrers?: readonly { readonly digest: string }[] };
  return (found.referrers ?? []).map(({ digest }) => at(image, digest));
}

export async function readAttached(oras: Tool, attached: string, folder: string): Promise<unknown> {
  const manifest = await oras('manifest', 'fetch', '--plain-http', attached);
  const [layer] = (JSON.parse(manifest) as { readonly layers: readonly { readonly digest: string }[] }).layers;
  const file = path.join(folder, 'attached.json');
  await oras('blob', 'fetch', '--plain-http', '--output', file, at(attached, layer?.digest ?? ''));
  return JSON.parse(await readFile(file, 'utf8'));
}

function at(reference: string, digest: string): string {
  return `${reference.slice(0, reference.indexOf('@'))}@${digest}`;
}
