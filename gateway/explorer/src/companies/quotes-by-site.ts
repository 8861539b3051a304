import { webAddress } from '../company/source-of.ts';
import type { SupportingObservation } from '../session/client.ts';

export interface Site {
  /** The whole URI when it is no web address. */
  readonly name: string;
  readonly uri: string;
  readonly quotes: number;
}

export function quotesBySite(observations: readonly SupportingObservation[]): readonly Site[] {
  const sites = new Map<string, Site>();
  for (const { source_uri: uri } of observations.flatMap(({ evidence }) => evidence)) {
    const name = webAddress(uri)?.hostname ?? uri;
    const known = sites.get(name);
    sites.set(name, { name, uri: known?.uri ?? uri, quotes: (known?.quotes ?? 0) + 1 });
  }
  return [...sites.values()];
}
