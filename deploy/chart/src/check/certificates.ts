import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { podIn } from './pods.ts';
import { CHART, type Manifest, readManifests, renderAs } from './render.ts';

export const CERTIFICATES = path.join(CHART, 'examples/mutual-tls/certificates.yaml');
const RELEASE = 'ces';

interface Certificate {
  readonly secretName: string;
  readonly dnsNames?: readonly string[];
  readonly usages?: readonly string[];
}

/** The example's pods read them, and each names every address of its program. */
export async function certificateFaults(kubernetes: string): Promise<string[]> {
  const manifests = readManifests(await renderAs(RELEASE, 'mutual-tls.yaml', kubernetes, '--namespace', RELEASE));
  const certificates = await readCertificates();
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((deployment) => {
      const secret = podIn(deployment).volumes?.find(({ name }) => name === 'rpc-tls')?.secret?.secretName;
      const { dnsNames = [], usages = [] } = certificates.find(({ secretName }) => secretName === secret) ?? {};
      const names = namesOf(deployment.metadata.name, manifests).filter((name) => !dnsNames.includes(name));
      return [
        ...names.map((name) => `no certificate of ${deployment.metadata.name} names ${name}`),
        ...(usages.includes('client auth') ? [] : [`${deployment.metadata.name} cannot call`]),
        ...(usages.includes('server auth') || dnsNames.length === 1
          ? []
          : [`${deployment.metadata.name} cannot serve`]),
      ];
    });
}

export async function readCertificates(): Promise<readonly Certificate[]> {
  return readManifests(await readFile(CERTIFICATES, 'utf8'))
    .filter(({ kind }) => kind === 'Certificate')
    .map(({ spec }) => spec as unknown as Certificate);
}

/** The gateway has none: its Ingress has the certificate. */
function namesOf(deployment: string, manifests: readonly Manifest[]): string[] {
  const services = manifests
    .filter(({ kind, metadata }) => kind === 'Service' && [deployment, `${deployment}-pods`].includes(metadata.name))
    .map(({ metadata }) => metadata.name);
  if (services.length === 1) return [];
  const domains = ['', `.${RELEASE}`, `.${RELEASE}.svc`, `.${RELEASE}.svc.cluster.local`];
  return services.flatMap((service) => domains.map((domain) => `${service}${domain}`));
}
