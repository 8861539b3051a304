import path from 'node:path';
import { code, table } from '../markdown.ts';
import { listLeaves } from './leaves.ts';
import type { Leaf } from './value.ts';
import { COMPONENTS } from './values.ts';

const HEAD = `# ces

Company evidence search on Kubernetes: a gateway and five services, their migrations, network policies that close everything but
the edges of the architecture and, where they are wanted, routes, scaling, monitoring and databases. Made from the code by
\`npm run chart:generate\`.

\`\`\`sh
helm upgrade --install ces charts/ces --namespace ces --values charts/ces/examples/minimal.yaml --wait
helm test ces --namespace ces
\`\`\`

A chart that was ${link('published', 'deploy/docs/image.md')} names its image by digest; \`helm upgrade --install ces oci://REGISTRY/PATH/charts/ces --version VERSION\`
takes it from there, and \`global.imageRegistry\` names a copy of the registry.

Needs Kubernetes 1.29 or newer, Helm 3.18 or newer (or 4), Postgres, NATS with JetStream, and Secrets, which the chart never makes
itself. ${link('The guide', 'deploy/docs/install.md')} has them step by step, [examples](examples) are values for four kinds of clusters,
${link('The list of changes', 'charts/ces/CHANGELOG.md')} says what to do at an upgrade, ${link('every setting of the programs', 'deploy/configuration.md')} what
goes under \`settings\` and into Secrets.

## Values

A key that is not here is refused, and so is a value of another kind. What stands under \`defaults\` holds for every program;
under \`components.<program>\` (${Object.keys(COMPONENTS).join(', ')}) one of them has it otherwise: maps are merged key by key, lists
replaced. Objects "as Kubernetes takes them" are checked by its API server.
`;

function link(label: string, file: string): string {
  return `[${label}](${path.relative('charts/ces', file)})`;
}

export function chartReadme(): string {
  const sections = Map.groupBy(listLeaves(), ([path]) => (path.includes('.') ? (path.split('.')[0] ?? '') : ''));
  const [general = [], ...rest] = [sections.get(''), ...[...sections].filter(([key]) => key !== '')];
  return [
    HEAD,
    section('General', general as [string, Leaf][]),
    ...(rest as [string, [string, Leaf][]][]).flatMap(([key, leaves]) => [
      section(key, leaves),
      ...(key === 'defaults' ? [section('components', overridden())] : []),
    ]),
  ].join('\n');
}

function section(title: string, leaves: readonly [string, Leaf][]): string {
  const rows = leaves.map(([path, { description, default: preset, schema }]) => [
    code(path),
    kindOf(schema.type),
    preset === '' ? '' : code(JSON.stringify(preset)),
    description,
  ]);
  return `### ${title}\n\n${table(['value', 'kind', 'default', 'meaning'], rows)}\n`;
}

function overridden(): [string, Leaf][] {
  return Object.entries(COMPONENTS).map(([name, { description, values }]) => [
    `components.${name}`,
    { description, default: values, schema: { type: 'object' } },
  ]);
}

function kindOf(type: unknown): string {
  const kinds = Array.isArray(type) ? type : [type];
  return kinds.map((kind) => (kind === 'object' ? 'map' : kind === 'array' ? 'list' : String(kind))).join(' or ');
}
