import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Source } from '../connector/source.ts';
import type { Dependencies } from './dependencies.ts';

export function requireSource({ sources }: Pick<Dependencies, 'sources'>, name: string): Source {
  const source = sources.find(name);
  if (source) return source;
  const names = sources.all.map((one) => one.name).join(', ');
  throw fail(FailureCode.NOT_FOUND, `There is no source of that name; there are ${names}.`);
}
