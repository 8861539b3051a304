import { listComponents } from '../components.ts';
import { type Manifest, readManifests, render } from './render.ts';

const PREFIX = 'nats.credentials.';
const FOLDER = '/var/run/ces/nats-credentials';

interface Pod {
  readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}

/** What is set, as values and as what operations then has: settings, and the Secret that is mounted. */
const WAYS: readonly { set: Record<string, string>; secret: string; settings: Record<string, string> }[] = [
  { set: { secretName: 'nats-{program}' }, secret: 'nats-operations', settings: { CREDS_FILE: 'nats.creds' } },
  { set: { secretName: 'seed', nkey: 'true' }, secret: 'seed', settings: { NKEY_FILE: 'nats.creds' } },
  { set: { secretName: 'seed', kind: 'nkey', key: 'nk' }, secret: 'seed', settings: { NKEY_FILE: 'nk' } },
  {
    set: { secretName: 'nats', kind: 'password', user: 'ces-{program}' },
    secret: 'nats',
    settings: { USER: 'ces-operations', PASSWORD_FILE: 'password' },
  },
  { set: { secretName: 'nats', kind: 'token' }, secret: 'nats', settings: { TOKEN_FILE: 'token' } },
];

/** Whether each way of opening NATS reaches the programs that have the broker, as a file and no variable, and no other program. */
export async function natsFaults(kubernetes: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { set, secret, settings } of WAYS) {
    const values = Object.entries(set).flatMap(([name, value]) => ['--set', `${PREFIX}${name}=${value}`]);
    const manifests = readManifests(await render('minimal.yaml', kubernetes, ...values));
    const what = JSON.stringify(set);
    for (const { name, broker } of listComponents()) {
      const mounted = podOf(manifests, name).volumes.find((volume) => volume.name === 'nats-credentials');
      if (broker !== (mounted !== undefined)) faults.push(`${what}: ${name} ${broker ? 'lacks' : 'has'} the file`);
    }
    const pod = podOf(manifests, 'operations');
    const mounted = pod.volumes.find((volume) => volume.name === 'nats-credentials')?.secret?.secretName;
    if (mounted !== secret) faults.push(`${what}: the Secret ${mounted} is mounted`);
    const found = Object.fromEntries(
      (pod.containers[0]?.env ?? [])
        .filter(({ name, value }) => /^CES_NATS_(USER|(CREDS|NKEY|PASSWORD|TOKEN)_FILE)$/.test(name) && value)
        .map(({ name, value = '' }) => [name.replace('CES_NATS_', ''), value.replace(`${FOLDER}/`, '')]),
    );
    if (JSON.stringify(Object.entries(found).sort()) !== JSON.stringify(Object.entries(settings).sort()))
      faults.push(`${what}: operations has ${JSON.stringify(found)}`);
  }
  return faults;
}

function podOf(manifests: readonly Manifest[], name: string): Pod {
  const deployment = manifests.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.labels?.['app.kubernetes.io/component'] === name,
  );
  if (!deployment) throw new Error(`${name} has no Deployment`);
  const { template } = deployment.spec as unknown as { readonly template: { readonly spec: Pod } };
  return template.spec;
}
