import path from 'node:path';
import { applyFile, remove } from '../apply.ts';
import type { Cluster } from '../node/start.ts';
import { type Probe, startProbes } from '../probes.ts';
import type { Report } from '../report.ts';
import { until } from '../until.ts';

const READY_WITHIN_MS = 120_000;
const PROGRAMMED_WITHIN_MS = 20_000;

/**
 * Checks CoreDNS, and a Service by name and address from another pod and from its own. An unknown
 * name must not resolve.
 */
export async function tryNames({ api }: Cluster, report: Report): Promise<void> {
  await report.row('DNS ready', async () => {
    await applyFile(api, path.join(import.meta.dirname, '../manifests/dns.yaml'));
    await until('CoreDNS is ready', READY_WITHIN_MS, async () => {
      const { body } = await api.call('GET', '/apis/apps/v1/namespaces/kube-system/deployments/coredns');
      return (body as { status?: { readyReplicas?: number } }).status?.readyReplicas === 1;
    });
  });
  await report.row('names and Services', async () => {
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'names' } });
    const request = (name: string) => ({ namespace: 'names', name, labels: { pod: name }, ports: [80] });
    const [caller, called] = await startProbes(api, [request('caller'), request('server')]);
    const service = (name: string, more: object) => ({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'names' } },
      spec: { selector: { pod: 'server' }, ports: [{ name: 'tcp', port: 8080, targetPort: 80 }], ...more },
    });
    await api.apply(service('called', { clusterIP: '10.96.7.7' }));
    await api.apply(service('called-pods', { clusterIP: 'None', ports: [{ name: 'tcp', port: 80 }] }));
    const open = [
      'called:8080',
      'called.names.svc:8080',
      'called.names.svc.cluster.local:8080',
      '10.96.7.7:8080',
      'called-pods:80',
    ];
    const reasons = async ({ try: attempt }: Probe) => {
      const outcomes = await attempt(open.map((address) => ({ protocol: 'tcp' as const, address })));
      return outcomes.filter((outcome) => !outcome.open).map(({ address, reason }) => `${address}: ${reason}`);
    };
    const faults: string[] = [];
    for (const [from, probe] of [
      ['another pod', caller],
      ['its own', called],
    ] as const)
      await until('', PROGRAMMED_WITHIN_MS, async () => (await reasons(probe as Probe)).length === 0).catch(
        async () => {
          faults.push(...(await reasons(probe as Probe)).map((reason) => `from ${from} ${reason}`));
        },
      );
    const [unknown] = (await caller?.try([{ protocol: 'tcp', address: 'nobody.names.svc.cluster.local:80' }])) ?? [];
    if (!unknown?.reason?.includes('no such host')) faults.push(`an unknown name: ${unknown?.reason}`);
    await remove(api, '/api/v1/namespaces/names');
    return { figures: { 'ways to one Service': open.length * 2 }, faults };
  });
}
