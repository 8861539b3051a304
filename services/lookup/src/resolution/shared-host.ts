import type { ResolutionVocabulary } from './vocabulary.ts';

/** Whether a hostname is shared by many companies, itself or a host above it: it never tells who a company is. */
export function isSharedHost({ sharedHosts }: ResolutionVocabulary, hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length < 2 || labels.some((_, index) => sharedHosts.has(labels.slice(index).join('.')));
}
