import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normalizeIndex, writeBundle } from './bundle.ts';
import type { Tool } from './tools.ts';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const SIGNATURE = {
  mediaType: MANIFEST,
  digest: 'sha256:04576949c57718dee5fbd5cccacf13ce27c6810578dd9002db60516537531c2e',
  size: 748,
};
const IMAGE = {
  mediaType: MANIFEST,
  digest: 'sha256:821ad4b8216e3a0c7396e99a0fce61801a1cb6ddcc19e9541bf68b5ed88e1b83',
  size: 535,
};
const TAGGED = {
  mediaType: INDEX,
  digest: 'sha256:9d67b937678a3118a7c2afffc9c08f872ad077a2515289f5db4e82118ab9b916',
  size: 550,
  annotations: { 'org.opencontainers.image.ref.name': '1.4.0' },
};
const AS_REFERRER = {
  ...SIGNATURE,
  annotations: { 'org.opencontainers.image.created': '2026-11-24T04:03:14Z' },
  artifactType: 'application/vnd.cncf.notary.signature',
};
/**
 * Two indexes that oras wrote for the same content, shortened. It found the image through the
 * index, or through a referrer.
 */
const FROM_INDEX = indexOf(TAGGED, { ...IMAGE, platform: { architecture: 'amd64', os: 'linux' } }, AS_REFERRER);
const FROM_REFERRER = indexOf(AS_REFERRER, IMAGE, TAGGED);

const unasked: Tool = () => Promise.reject(new Error('nothing but oras is asked'));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-bundle-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('an index keeps what is listed and its tag, and not how oras came by it', () => {
  const settled = indexOf(SIGNATURE, IMAGE, TAGGED);
  expect(normalizeIndex(FROM_INDEX)).toBe(settled);
  expect(normalizeIndex(FROM_REFERRER)).toBe(settled);
});

test('only the tag annotation is kept', () => {
  const created = { 'org.opencontainers.image.created': '2026-11-24T04:03:14Z' };
  const tagged = { ...TAGGED, annotations: { ...created, ...TAGGED.annotations } };
  expect(normalizeIndex(indexOf(tagged))).toBe(indexOf(TAGGED));
});

test('bundles of the same content are identical, whatever the order of manifests and the file modes', async () => {
  const first = await bundled('first', FROM_INDEX, 0o755);
  expect(await bundled('again', FROM_REFERRER, 0o700)).toBe(first);
  expect(await bundled('other', indexOf(TAGGED), 0o755)).not.toBe(first);
});

function indexOf(...manifests: readonly object[]): string {
  return JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests });
}

async function bundled(name: string, index: string, mode: number): Promise<string> {
  const own = path.join(folder, name);
  const oras: Tool = async (...parameters) => {
    const layout = parameters.at(-1)?.replace(/:1\.4\.0$/, '') ?? '';
    await mkdir(path.join(layout, 'ingest'), { recursive: true, mode });
    await writeFile(path.join(layout, 'index.json'), index, { mode: mode & 0o666 });
    return '';
  };
  const paths = { crane: '', helm: '', notation: '', oras: import.meta.filename };
  const tools = { crane: unasked, helm: unasked, oras, syft: unasked, paths };
  const items = [{ what: 'image', name: 'image', reference: 'registry.example.com/image' }];
  return await writeBundle(tools, items, { file: `${own}.tar`, version: '1.4.0', seconds: 1_700_000_000, folder: own });
}
