import type { Role } from './page-role.ts';

export interface Narrowing {
  readonly what: string;
  readonly narrowed: Role;
}

export function narrowings(role: Role): readonly Narrowing[] {
  const ofCluster = role.cluster.map((action) => ({
    what: `without ${action} of the cluster`,
    narrowed: { ...role, cluster: role.cluster.filter((other) => other !== action) },
  }));
  const ofIndices = role.indices.flatMap((granted, at) =>
    granted.actions.map((action) => ({
      what: `without ${action} of ${granted.patterns.join(', ')}`,
      narrowed: {
        ...role,
        indices: role.indices.with(at, { ...granted, actions: granted.actions.filter((other) => other !== action) }),
      },
    })),
  );
  return [...ofCluster, ...ofIndices];
}
