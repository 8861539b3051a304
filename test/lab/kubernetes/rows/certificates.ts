import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import { readCertificates } from '@ces/chart/check/certificates';
import { SERVICES } from '@ces/topology/services';
import { type Authority, createAuthority } from '../../../support/certificates.ts';
import { forward } from '../forward.ts';
import type { UnderCalls } from '../product/load.ts';
import { NAMESPACE, type Product, podsOf } from '../product/product.ts';
import { writeCertificate } from '../product/secret.ts';
import { until } from '../until.ts';

/** Covers the kubelet's file update and the programs' reload. */
const RENEWED_WITHIN_MS = 120_000;
const USED_MS = 30_000;

/** Sets up mutual TLS by deploy/docs/calls.md. A test authority replaces cert-manager. */
export async function tryCertificates(
  product: Product,
  { noneFails, eachIsAnswered }: { readonly noneFails: UnderCalls; readonly eachIsAnswered: UnderCalls },
): Promise<void> {
  const authority = await createAuthority();
  await issue(product, authority);
  await eachIsAnswered('mutual TLS between programs taken into use', async () => {
    const flags = '--reset-then-reuse-values --set rpc.tls.enabled=true --wait --timeout 10m';
    await product.shell(`helm upgrade ces charts/ces --namespace ${NAMESPACE} ${flags}`);
    return undefined;
  });
  await noneFails('every certificate between programs renewed', async () => {
    const before = await shown();
    await issue(product, authority);
    const took = await until('every pod shows another certificate', RENEWED_WITHIN_MS, async () => {
      const now = await shown();
      return now.size > 0 && [...now].every(([pod, serial]) => before.get(pod) !== serial);
    });
    await pause(USED_MS);
    return { figures: { pods: before.size, 'shown after, s': Math.round(took / 1_000) } };
  });
}

async function issue(product: Product, authority: Authority): Promise<void> {
  for (const { secretName, dnsNames = [] } of await readCertificates())
    await writeCertificate(product, NAMESPACE, secretName, authority, dnsNames);
}

async function shown(): Promise<Map<string, string>> {
  const serials = new Map<string, string>();
  for (const { name, program } of await podsOf()) {
    const port = SERVICES.find((service) => service.name === program)?.port;
    if (port === undefined || program === 'gateway') continue;
    await using way = await forward(NAMESPACE, `pod/${name}`, port);
    serials.set(name, await serialAt(way.port));
  }
  return serials;
}

/** Only inspects the certificate, so it skips verification. */
async function serialAt(port: number): Promise<string> {
  const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}
