import { type Manifest, readManifests, render } from './render.ts';

const SETTING = 'components.search.settings.CES_SEARCH_PLANNER_URL';
const EGRESS = 'networkPolicy.searchEgress';

interface Rule {
  readonly to: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports: readonly { readonly port: number }[];
}

/** Whether search reaches the planner that its settings name, and nothing outside when they name none. */
export async function plannerFaults(kubernetes: string): Promise<string[]> {
  const waysWith = async (...values: string[]) => {
    const text = await render('minimal.yaml', kubernetes, ...values.flatMap((value) => ['--set', value]));
    return waysOut(readManifests(text));
  };
  const refused = await waysWith(`${SETTING}=https://planner.example/v1`).then(
    () => false,
    () => true,
  );
  return [
    ...(refused ? [] : ['a planner whose networks no value names is accepted, and cannot be reached']),
    ...differ('without a planner', await waysWith(`${EGRESS}.cidrs={203.0.113.0/24}`), []),
    ...differ('an address', await waysWith(`${SETTING}=https://198.51.100.7:8443/v1`), ['198.51.100.7/32:8443']),
    ...differ('a name', await waysWith(`${SETTING}=https://planner.example/v1`, `${EGRESS}.cidrs={203.0.113.0/24}`), [
      '203.0.113.0/24:443',
    ]),
  ];
}

/** Networks that search may reach, with the port. */
function waysOut(manifests: readonly Manifest[]): string[] {
  const policy = manifests.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.labels?.['app.kubernetes.io/component'] === 'search',
  );
  const rules = (policy?.spec?.egress ?? []) as readonly Rule[];
  return rules.flatMap(({ to, ports }) =>
    to.flatMap(({ ipBlock }) => (ipBlock ? [`${ipBlock.cidr}:${ports[0]?.port}`] : [])),
  );
}

function differ(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  return found.join() === wanted.join() ? [] : [`${what}: search reaches ${found.join(', ') || 'nothing outside'}`];
}
