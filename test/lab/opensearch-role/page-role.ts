import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

export interface Role {
  readonly cluster: readonly string[];
  readonly indices: readonly { readonly patterns: readonly string[]; readonly actions: readonly string[] }[];
}

const PAGE = path.resolve(import.meta.dirname, '../../../deploy/docs/search-engines.md');
const YAML_BLOCK = /```yaml\n(.*?)```/gs;

interface RoleOfOperator {
  readonly kind: string;
  readonly spec: {
    readonly clusterPermissions: readonly string[];
    readonly indexPermissions: readonly {
      readonly indexPatterns: readonly string[];
      readonly allowedActions: readonly string[];
    }[];
  };
}

/** The role in the operators' documentation. */
export async function roleOfPage(): Promise<Role> {
  const blocks = [...(await readFile(PAGE, 'utf8')).matchAll(YAML_BLOCK)].map(([, text = '']) => parse(text));
  const role = (blocks as readonly RoleOfOperator[]).find(({ kind }) => kind === 'OpensearchRole');
  if (!role) throw new Error(`${PAGE} shows no OpensearchRole`);
  return {
    cluster: role.spec.clusterPermissions,
    indices: role.spec.indexPermissions.map(({ indexPatterns, allowedActions }) => ({
      patterns: indexPatterns,
      actions: allowedActions,
    })),
  };
}

export function roleAsFile({ cluster, indices }: Role): object {
  return {
    cluster_permissions: cluster,
    index_permissions: indices.map(({ patterns, actions }) => ({ index_patterns: patterns, allowed_actions: actions })),
  };
}
