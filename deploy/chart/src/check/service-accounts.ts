import type { Component } from '../components.ts';
import { componentOf, difference, type Pod, type Policy, podIn, podOf, selectedBy, type TokenSource } from './pods.ts';
import { type Manifest, RELEASE, readManifests, render } from './render.ts';

const EXAMPLE = 'service-account-tokens.yaml';
const API_SERVER = '192.0.2.1/32';

/** Tokens exist for edges of the architecture only, with one audience and a short lifetime. */
export async function serviceAccountFaults(kubernetes: string, components: readonly Component[]): Promise<string[]> {
  const settings = ['--set', 'rpc.serviceAccountTokens.apiServer.enabled=true'];
  const cidrs = ['--set', `rpc.serviceAccountTokens.apiServer.cidrs={${API_SERVER}}`];
  const byFile = readManifests(await render(EXAMPLE, kubernetes));
  const byApiServer = readManifests(await render(EXAMPLE, kubernetes, ...settings, ...cidrs));
  const named = ['--set', 'components.operations.serviceAccount.name=another'];
  const byName = readManifests(await render(EXAMPLE, kubernetes, ...named));
  const callees = components.filter(({ name }) => name !== 'gateway').map(({ name }) => name);
  return [
    ...[byFile, byName].flatMap((all) => components.flatMap((component) => tokenFaults(all, component, components))),
    ...differ('may reach the API server, by files', reaching(byFile), []),
    ...differ('has a token of the API server, by files', holding(byFile), []),
    ...differ('may reach the API server', reaching(byApiServer), callees),
    ...differ('has a token of the API server', holding(byApiServer), callees),
  ];
}

function tokenFaults(manifests: readonly Manifest[], component: Component, all: readonly Component[]): string[] {
  const { name, calls } = component;
  const pod = podOf(name, manifests);
  const env = new Map(pod?.containers[0]?.env?.map((one) => [one.name, one.value]));
  const tokens = tokensOf(pod).map(
    ({ audience, path, expirationSeconds }) => `${path} ${audience} ${expirationSeconds}`,
  );
  const wanted = calls.map((callee) => `${callee} ${RELEASE}-ces-${callee} 600`);
  const callers = all
    .filter((one) => one.calls.includes(name))
    .map((one) => `${one.name}=default:${podOf(one.name, manifests)?.serviceAccountName}`);
  const accepted = (env.get('CES_RPC_SERVICE_ACCOUNTS') ?? '').split(',').filter(Boolean);
  const audience = env.get('CES_RPC_SERVICE_ACCOUNT_AUDIENCE');
  return [
    ...differ(`is a token of ${name}`, tokens, wanted),
    ...differ(`is accepted by ${name}`, accepted, callers),
    ...(name === 'gateway' || audience === `${RELEASE}-ces-${name}` ? [] : [`${name} takes tokens for ${audience}`]),
  ];
}

function tokensOf(pod: Pod | undefined): TokenSource[] {
  const sources = (pod?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return sources.flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
}

function holding(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .filter((owner) => tokensOf(podIn(owner)).some(({ audience }) => audience === undefined))
    .map((owner) => componentOf(owner) ?? owner.metadata.name);
}

function reaching(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as Policy)
    .filter(({ egress = [] }) => egress.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === API_SERVER)))
    .map(({ podSelector }) => selectedBy(podSelector) ?? 'every pod');
}

function differ(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...difference(found, wanted).map((one) => `${one} ${what}, and should not`),
    ...difference(wanted, found).map((one) => `${one} ${what} no more, and should`),
  ];
}
