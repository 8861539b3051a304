import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** What a registry says of a package; dates are of days, as `2026-11-23`. */
export interface RegistryFigures {
  /** The package exists since this day at the latest: a mirror dates what it fetched late by when it did. */
  readonly knownSince: string;
  /** Of the version that the tag `latest` names. */
  readonly lastRelease: string;
  readonly latest: string;
  /** Versions of the last 365 days that are older than every higher one: backports, and what a mirror fetched late, are left out. */
  readonly releasesInYear: number;
  /** How many may publish it; undefined where the registry does not tell. */
  readonly maintainers: number | undefined;
  readonly deprecated: string | undefined;
  /** Who owns the sources, as `github.com/brianc`; undefined where the package does not tell. */
  readonly owner: string | undefined;
}

interface View {
  readonly time?: Readonly<Record<string, string>>;
  readonly 'dist-tags'?: Readonly<Record<string, string>>;
  readonly maintainers?: readonly unknown[];
  readonly deprecated?: string;
  readonly repository?: string | { readonly url?: string };
}

/** The registry could not be asked, or did not answer with figures. The message is one sentence and names no address. */
export class RegistryError extends Error {}

/** Asks the registry that npm is configured with; rejects with a RegistryError. */
export async function askRegistry(name: string, now: Date): Promise<RegistryFigures> {
  const parameters = ['view', name, 'time', 'maintainers', 'dist-tags', 'deprecated', 'repository', '--json'];
  const options = [
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=200',
    '--fetch-retry-maxtimeout=2000',
    '--loglevel=silent',
  ];
  const { stdout } = await execute('npm', [...parameters, ...options], { maxBuffer: OUTPUT_BYTES }).catch(
    (error: Error & { stdout?: string }) => {
      throw new RegistryError(`The npm registry said nothing of ${name} (${codeOf(error)}).`);
    },
  );
  return readView(name, JSON.parse(stdout || '{}') as View, now);
}

export function readView(name: string, view: View, now: Date): RegistryFigures {
  const latest = view['dist-tags']?.latest;
  const times = Object.entries(view.time ?? {}).filter(([version]) => /^\d/.test(version));
  const last = times.find(([version]) => version === latest)?.[1];
  if (latest === undefined || last === undefined)
    throw new RegistryError(`The npm registry told no dates of ${name}, without which nothing can be said of its age.`);
  const from = now.getTime() - YEAR_MS;
  const ordered = times.map(([version, time]) => ({ version, at: Date.parse(time) })).sort(byVersion);
  const recent = ordered.filter(
    ({ at }, place) => at >= from && ordered.slice(place + 1).every((higher) => higher.at >= at),
  );
  return {
    knownSince: day(Math.min(...ordered.map(({ at }) => at))),
    lastRelease: day(Date.parse(last)),
    latest,
    releasesInYear: recent.length,
    maintainers: view.maintainers?.length,
    deprecated: view.deprecated,
    owner: ownerOf(view.repository),
  };
}

function ownerOf(repository: View['repository']): string | undefined {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const [, host, owner] = /([\w.-]+\.\w+)[/:]([\w.-]+)\/[\w.-]+?(?:\.git)?(?:$|[#/])/.exec(url) ?? [];
  if (host && owner) return `${host}/${owner}`;
  const [, short] = /^(?:github:)?([\w.-]+)\/[\w.-]+$/.exec(url) ?? [];
  return short && `github.com/${short}`;
}

function byVersion(one: { readonly version: string }, other: { readonly version: string }): number {
  return one.version.localeCompare(other.version, 'en', { numeric: true });
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** npm's own code of what went wrong, as ECONNREFUSED; its words would name the registry. */
function codeOf({ stdout, message }: Error & { stdout?: string }): string {
  return /"code": "(\w+)"/.exec(stdout ?? '')?.[1] ?? /\b(E[A-Z]{3,})\b/.exec(message)?.[1] ?? 'no answer';
}
