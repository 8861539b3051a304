import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Source } from '../connector/source.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_CHARACTERS = 2000;

export function checkSetting(source: Source, name: string, value: string): void {
  const setting = source.settings?.find((one) => one.name === name);
  if (!setting) throw fail(FailureCode.INVALID_REQUEST, `${source.name} has no setting of that name.`);
  if (setting.secret)
    throw fail(FailureCode.INVALID_REQUEST, `${name} is a secret: set it in CES_SOURCE_SECRETS of acquisition.`);
  if (value.length > MAX_CHARACTERS)
    throw fail(FailureCode.INVALID_REQUEST, `A setting must have at most ${MAX_CHARACTERS} characters.`);
}

export function requireSource({ sources }: Pick<Dependencies, 'sources'>, name: string): Source {
  const source = sources.find(name);
  if (source) return source;
  const names = sources.all.map((one) => one.name).join(', ');
  throw fail(FailureCode.NOT_FOUND, `There is no source of that name; there are ${names}.`);
}
