import { hash } from 'node:crypto';
import type { FetchRequest, Source } from '../connector/source.ts';
import { FetchFailed } from './errors.ts';

export type Mirrors = ReadonlyMap<string, string>;

export function publicUri(request: Pick<FetchRequest, 'secretParameters'>, address: URL): string {
  const shown = new URL(address);
  for (const name of request.secretParameters ?? []) shown.searchParams.delete(name);
  shown.hash = '';
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** Returns a hash, because the address may hold secrets. */
export function documentName({ url, secretParameters = [] }: FetchRequest): string {
  const address = new URL(url);
  for (const name of secretParameters) address.searchParams.delete(name);
  return hash('sha256', address.href);
}

/** http and https on the hosts of the source, without credentials. Throws FetchFailed. */
export function checkTarget(source: Pick<Source, 'hosts'>, text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchFailed('the source gave an address that is none');
  const address = new URL(text, base?.href);
  if (address.protocol !== 'http:' && address.protocol !== 'https:')
    throw new FetchFailed(`the source gave an address with ${address.protocol}, only http and https are followed`);
  if (address.username || address.password) throw new FetchFailed('the source gave an address with credentials');
  if (!source.hosts.some((pattern) => matches(pattern, address.hostname)))
    throw new FetchFailed(`${address.hostname} is none of the hosts of the source`);
  if (base?.protocol === 'https:' && address.protocol === 'http:')
    throw new FetchFailed('the source redirected from https to http, which is not followed');
  return address;
}

export function mirrored(address: URL, mirrors: Mirrors): URL {
  const base = mirrors.get(address.hostname);
  if (base === undefined) return address;
  const at = new URL(base);
  // A path that begins with two slashes would name another host if it were resolved.
  at.pathname = address.pathname;
  at.search = address.search;
  return at;
}

function matches(pattern: string, hostname: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === hostname;
  const rest = pattern.slice(1);
  return hostname.endsWith(rest) && !hostname.slice(0, -rest.length).includes('.');
}
