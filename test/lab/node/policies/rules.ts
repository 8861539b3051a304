import { type ClusterState, type NetworkPolicy, type Peer, type Pod, type Port, selects } from './objects.ts';

const TABLE = 'inet lab-policies';

type Direction = 'ingress' | 'egress';

/**
 * Returns input for `nft -f` that replaces the rules of all policies atomically. Each selected pod
 * has a chain that returns for allowed traffic and rejects the rest. A connection must pass the
 * egress chain of its source and the ingress chain of its destination. Traffic from unknown
 * addresses of `podNetwork` is dropped, so a pod reaches nothing before its policies apply.
 * `podNetwork` is a CIDR such as `10.244.0.0/24`, and its first address is the node's.
 */
export function rulesOf(state: ClusterState, podNetwork: string): string {
  const pods = state.pods.filter(isReachable);
  const namespaces = new Map(state.namespaces.map(({ metadata }) => [metadata.name, metadata.labels]));
  const chains: string[] = [];
  const entries: Record<Direction, string[]> = { ingress: [], egress: [] };
  for (const pod of pods)
    for (const direction of ['ingress', 'egress'] as const) {
      const policies = state.policies.filter((policy) => isolates(policy, pod, direction));
      if (policies.length === 0) continue;
      const chain = `${direction}-${chains.length}`;
      const rules = policies.flatMap((policy) => allowed(policy, pod, direction, pods, namespaces));
      const own = `ip ${direction === 'ingress' ? 'saddr' : 'daddr'} ${pod.status?.podIP}`;
      chains.push(
        block(`chain ${chain}`, [own, ...new Set(rules)].map((match) => `${match} return`.trim()).concat('reject')),
      );
      entries[direction].push(`${pod.status?.podIP} : jump ${chain}`);
    }
  const known = pods.map(({ status }) => status?.podIP).concat(podNetwork.replace(/\d+\/\d+$/, '1'));
  const map = (direction: Direction) =>
    block(`map ${direction}`, ['type ipv4_addr : verdict', ...elements(entries[direction])]);
  const ours = [`ip saddr ${podNetwork} ip saddr != @known drop`, 'ip saddr vmap @egress'];
  return [
    `table ${TABLE} {}`,
    `delete table ${TABLE}`,
    block(`table ${TABLE}`, [
      block('set known', ['type ipv4_addr', ...elements(known)]),
      ...chains,
      map('ingress'),
      map('egress'),
      block('chain forward', ['type filter hook forward priority 0', ESTABLISHED, ...ours, 'ip daddr vmap @ingress']),
      block('chain input', ['type filter hook input priority 0', ESTABLISHED, ...ours]),
    ]),
  ].join('\n');
}

const ESTABLISHED = 'ct state established,related accept';

function isReachable({ spec, status }: Pod): boolean {
  return !spec.hostNetwork && Boolean(status?.podIP) && !['Succeeded', 'Failed'].includes(status?.phase ?? '');
}

function isolates({ metadata, spec }: NetworkPolicy, pod: Pod, direction: Direction): boolean {
  const isItsKind =
    spec.policyTypes?.some((type) => type.toLowerCase() === direction) ??
    (direction === 'ingress' || spec.egress !== undefined);
  return (
    isItsKind && metadata.namespace === pod.metadata.namespace && selects(spec.podSelector ?? {}, pod.metadata.labels)
  );
}

type NamespaceLabels = ReadonlyMap<string, Readonly<Record<string, string>> | undefined>;

function allowed(
  { metadata, spec }: NetworkPolicy,
  pod: Pod,
  direction: Direction,
  pods: readonly Pod[],
  namespaces: NamespaceLabels,
): string[] {
  const rules =
    direction === 'ingress'
      ? (spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
      : (spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));
  const side = direction === 'ingress' ? 'saddr' : 'daddr';
  return rules.flatMap(({ peers = [], ports = [] }) => {
    const everywhere = peers.length === 0;
    const blocks = peers.flatMap(({ ipBlock }) => ipBlock ?? []);
    const chosen = pods.filter((other) =>
      peers.some((peer) => !peer.ipBlock && isPeer(peer, other, metadata.namespace ?? '', namespaces)),
    );
    return portsOf(ports).flatMap((port) => {
      // A named port resolves at the destination pod.
      const called = direction === 'ingress' ? [pod] : everywhere ? pods : chosen;
      if (typeof port.port === 'string') {
        const numbers = called.map((one) => ({ one, number: portNamed(one, port) }));
        return numbers.flatMap(({ one, number }) => {
          if (number === undefined) return [];
          const match = portMatch({ ...port, port: number });
          if (direction === 'egress') return [`ip daddr ${one.status?.podIP} ${match}`];
          return placesOf(side, everywhere, chosen, blocks).map((place) => `${place} ${match}`.trim());
        });
      }
      return placesOf(side, everywhere, chosen, blocks).map((place) => `${place} ${portMatch(port)}`.trim());
    });
  });
}

function isPeer({ podSelector, namespaceSelector }: Peer, { metadata }: Pod, own: string, namespaces: NamespaceLabels) {
  const { namespace = '', labels } = metadata;
  const isThere = namespaceSelector ? selects(namespaceSelector, namespaces.get(namespace)) : namespace === own;
  return isThere && selects(podSelector ?? {}, labels);
}

function placesOf(
  side: string,
  everywhere: boolean,
  pods: readonly Pod[],
  blocks: readonly NonNullable<Peer['ipBlock']>[],
): string[] {
  if (everywhere) return [''];
  const addresses = pods.map(({ status }) => status?.podIP);
  return [
    ...(addresses.length > 0 ? [`ip ${side} { ${addresses.join(', ')} }`] : []),
    // Pods have only IPv4, so an IPv6 block allows nothing.
    ...blocks
      .filter(({ cidr }) => !cidr.includes(':'))
      .map(({ cidr, except = [] }) =>
        except.length > 0 ? `ip ${side} ${cidr} ip ${side} != { ${except.join(', ')} }` : `ip ${side} ${cidr}`,
      ),
  ];
}

/** Without ports, a rule covers every port of every protocol. */
function portsOf(ports: readonly Port[]): readonly (Port | Record<string, never>)[] {
  return ports.length > 0 ? ports : [{}];
}

function portMatch({ protocol, port, endPort }: Port): string {
  if (protocol === undefined && port === undefined) return '';
  const name = (protocol ?? 'TCP').toLowerCase();
  if (port === undefined) return `meta l4proto ${name}`;
  return `${name} dport ${endPort === undefined ? port : `${port}-${endPort}`}`;
}

function portNamed({ spec }: Pod, { port, protocol = 'TCP' }: Port): number | undefined {
  const all = spec.containers.flatMap(({ ports = [] }) => ports);
  return all.find((one) => one.name === port && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

function elements(all: readonly (string | undefined)[]): string[] {
  return all.length > 0 ? [`elements = { ${all.join(', ')} }`] : [];
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}
