import { isGroup, type Leaf, type Value } from './value.ts';
import { VALUES } from './values.ts';

/** Every value by its path, such as `ingress.host`; values of programs are under `defaults`. */
export function listLeaves(): [path: string, leaf: Leaf][] {
  return Object.entries(VALUES).flatMap(([key, value]) => leavesOf(key, value));
}

function leavesOf(path: string, value: Value): [string, Leaf][] {
  if (!isGroup(value)) return [[path, value]];
  return Object.entries(value.values).flatMap(([key, inner]) => leavesOf(`${path}.${key}`, inner));
}
