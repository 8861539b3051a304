import { clusterSecretFiles, generateSecrets, kubernetesSecrets } from '../secrets/secrets.ts';
import { RELEASE, readManifests, render } from './render.ts';

/** The secrets command or CloudNativePG writes them, for databases of the release. */
export async function secretFaults(kubernetes: string): Promise<string[]> {
  const enabled = ['--set', 'postgres.cloudnativepg.enabled=true'];
  const manifests = readManifests(await render('minimal.yaml', kubernetes, ...enabled));
  const written = kubernetesSecrets(clusterSecretFiles(generateSecrets(), 'alice'), `${RELEASE}-ces`).items;
  const keys = new Map(written.map(({ metadata, stringData }) => [metadata.name, new Set(Object.keys(stringData))]));
  for (const { kind, metadata } of manifests)
    if (kind === 'Cluster') keys.set(`${metadata.name}-app`, new Set(['uri']));
  return readKeys(JSON.stringify(manifests))
    .filter(({ secret, key }) => !keys.get(secret)?.has(key))
    .map(({ secret, key }) => `neither command nor operator writes the Secret ${secret} with the key ${key}`);
}

function readKeys(manifests: string): { readonly secret: string; readonly key: string }[] {
  const variables = [...manifests.matchAll(/"secretKeyRef":(\{[^}]*\})/g)].flatMap(([, reference = '']) => {
    const { name, key, optional } = JSON.parse(reference) as { name: string; key: string; optional?: boolean };
    return optional ? [] : [{ secret: name, key }];
  });
  const roles = [...manifests.matchAll(/"passwordSecret":\{"name":"([^"]*)"\}/g)].flatMap(([, secret = '']) =>
    ['username', 'password'].map((key) => ({ secret, key })),
  );
  return [...variables, ...roles];
}
