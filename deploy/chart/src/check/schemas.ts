import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findModule } from '../programs/programs.ts';

export const CUSTOM = [
  ['github.com/cloudnative-pg/cloudnative-pg@v1.28.1', 'config/crd/bases'],
  ['github.com/cloudnative-pg/plugin-barman-cloud@v0.15.0', 'config/crd/bases'],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd'],
  ['github.com/cert-manager/cert-manager@v1.19.2', 'deploy/crds'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard'],
  ['github.com/external-secrets/external-secrets@v1.3.2', 'config/crds/bases'],
] as const;

type Node = Record<string, unknown>;

interface Definition extends Node {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** Strict, one file a kind: an unknown field is an error. */
export async function writeSchemas(folder: string, kubernetes: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeBuiltIn(folder, kubernetes);
  for (const [module, directory] of CUSTOM) await writeCustom(folder, path.join(await findModule(module), directory));
}

/** kubeconform's template for the file name of a schema. */
export const SCHEMA_LOCATION = '{{ .Group }}_{{ .ResourceAPIVersion }}_{{ .ResourceKind }}.json';

async function writeBuiltIn(folder: string, kubernetes: string): Promise<void> {
  const source = await findModule(`k8s.io/kubernetes@v${kubernetes}`);
  const swagger: { definitions: Record<string, Definition> } = JSON.parse(
    await readFile(path.join(source, 'api/openapi-spec/swagger.json'), 'utf8'),
  );
  const definitions = Object.fromEntries(
    Object.entries(swagger.definitions).map(([name, definition]) => [name, strict(definition)]),
  );
  for (const [name, definition] of Object.entries(swagger.definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      if (KINDS.has(kind)) await write(folder, group, version, kind, { $ref: `#/definitions/${name}`, definitions });
}

const KINDS = new Set([
  ...['ConfigMap', 'CronJob', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
  ...['Pod', 'PodDisruptionBudget', 'Secret', 'Service', 'ServiceAccount'],
]);

interface CustomResourceDefinition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Node } }[];
  };
}

async function writeCustom(folder: string, directory: string): Promise<void> {
  for (const file of await readdir(directory)) {
    if (!file.endsWith('.yaml')) continue;
    for (const document of parseAllDocuments(await readFile(path.join(directory, file), 'utf8'))) {
      const { kind, spec } = document.toJS() as CustomResourceDefinition;
      if (kind !== 'CustomResourceDefinition') continue;
      for (const { name, schema } of spec.versions)
        await write(folder, spec.group, name, spec.names.kind, strict(schema.openAPIV3Schema));
    }
  }
}

async function write(folder: string, group: string, version: string, kind: string, schema: unknown): Promise<void> {
  // The core group has an empty name; kubeconform then uses the version.
  const file = `${group || version}_${version}_${kind.toLowerCase()}.json`;
  await writeFile(path.join(folder, file), JSON.stringify(schema));
}

/** Closes objects that list their fields; Kubernetes' formats become JSON types. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (!isNode(value)) return value;
  if (value.format === 'int-or-string' || value['x-kubernetes-int-or-string']) return { type: ['string', 'integer'] };
  if (typeof value.description === 'string' && value.description.startsWith('Quantity is'))
    return { type: ['string', 'number'] };
  const copied = mapValues(value, (inner, key) =>
    key === 'properties' && isNode(inner) ? mapValues(inner, strict) : strict(inner),
  );
  const lists = isNode(value.properties) && Object.keys(value.properties).length > 0;
  const open = 'additionalProperties' in value || value['x-kubernetes-preserve-unknown-fields'];
  return lists && !open ? { ...copied, additionalProperties: false } : copied;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}
