import type { Source } from '../session/client.ts';

/** Undefined unless http or https, since links must not run scripts. */
export function webAddress(uri: string): URL | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

export function sourceOf(uri: string, sources: readonly Source[]): Source | undefined {
  const host = webAddress(uri)?.hostname;
  if (host === undefined) return undefined;
  const candidates = sources.filter(({ url }) => url !== undefined && areOneSite(host, new URL(url).hostname));
  const [first] = candidates;
  return candidates.every(({ licence }) => licence === first?.licence) ? first : undefined;
}

/** `data.sam.gov` belongs to `sam.gov`, but two subdomains may share only a public suffix. */
function areOneSite(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)];
  return a === b || a.endsWith(`.${b}`);
}

function bare(hostname: string): string {
  return hostname.replace(/^www\./, '');
}
