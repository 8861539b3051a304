import type { Source } from '../session/client.ts';

/** The address as a link may carry it: http and https alone; undefined for anything else. */
export function webAddress(uri: string): URL | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The source whose own site the evidence stands on, its licence and attribution with it. */
export function sourceOf(uri: string, sources: readonly Source[]): Source | undefined {
  const host = webAddress(uri)?.hostname;
  if (host === undefined) return undefined;
  const candidates = sources.filter(({ url }) => url !== undefined && areOneSite(host, new URL(url).hostname));
  const [first] = candidates;
  // Where sources of one site have different licences, none is named rather than a wrong one.
  return candidates.every(({ licence }) => licence === first?.licence) ? first : undefined;
}

/** `data.sam.gov` and `sam.gov` are; two subdomains of a public suffix are not told apart, so only containment counts. */
function areOneSite(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)];
  return a === b || a.endsWith(`.${b}`);
}

function bare(hostname: string): string {
  return hostname.replace(/^www\./, '');
}
