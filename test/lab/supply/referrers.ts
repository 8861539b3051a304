import { createHash } from 'node:crypto';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Manifest {
  readonly subject?: Descriptor;
  readonly [member: string]: unknown;
}

const INDEX = 'application/vnd.oci.image.index.v1+json';

/**
 * Attaches the referrers of one image to another, as anyone with write access can, because the
 * signature does not cover the subject. References are `host/name@sha256:…`. Uses the referrers tag
 * schema of the OCI distribution spec.
 */
export async function moveReferrers(from: string, to: string): Promise<number> {
  const [repository, listed] = addressOf(from);
  const [, target, digest] = addressOf(to);
  const { manifests } = (await (await ask(`${repository}/manifests/${listed}`)).json()) as Index;
  const size = (await (await ask(`${repository}/manifests/${digest}`)).arrayBuffer()).byteLength;
  const moved: Descriptor[] = [];
  for (const descriptor of manifests) {
    const manifest = (await (await ask(`${repository}/manifests/${descriptor.digest}`)).json()) as Manifest;
    const body = JSON.stringify({ ...manifest, subject: { ...manifest.subject, digest, size } });
    const name = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    await put(`${repository}/manifests/${name}`, descriptor.mediaType, body);
    moved.push({ ...descriptor, digest: name, size: Buffer.byteLength(body) });
  }
  const index = JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: moved });
  await put(`${repository}/manifests/${target}`, INDEX, index);
  return moved.length;
}

interface Index {
  readonly manifests: readonly Descriptor[];
}

function addressOf(reference: string): readonly [string, string, string] {
  const [, host, name, digest = ''] = /^([^/]+)\/(.+)@(.+)$/.exec(reference) ?? [];
  return [`http://${host}/v2/${name}`, digest.replace(':', '-'), digest];
}

async function put(url: string, type: string, body: string): Promise<void> {
  await ask(url, { method: 'PUT', headers: { 'content-type': type }, body });
}

async function ask(url: string, request?: RequestInit): Promise<Response> {
  const response = await fetch(url, { headers: { accept: '*/*' }, ...request });
  if (!response.ok)
    throw new Error(
      `the registry answered ${response.status} to ${request?.method ?? 'GET'} of ${new URL(url).pathname}`,
    );
  return response;
}
