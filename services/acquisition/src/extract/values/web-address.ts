import { findContactDetail } from '@ces/proto/contact-details';
import { normaliseHostname } from '@ces/proto/hostname';

const MAX_LENGTH = 2048;

export function firstWebAddress(candidates: readonly unknown[], otherwise: string): string {
  return candidates.find(isWebAddress) ?? otherwise;
}

/** Refuses e-mail addresses inside: `?to=jane%40agency.example`, `https://jane@host/`. */
export function isWebAddress(candidate: unknown): candidate is string {
  return (
    typeof candidate === 'string' &&
    candidate.length <= MAX_LENGTH &&
    /^https?:\/\/[^\s]+$/i.test(candidate) &&
    URL.canParse(candidate) &&
    findContactDetail(candidate) !== 'an e-mail address'
  );
}

/** Replaces lone surrogates, which a URL cannot hold. */
export function pathPart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

export function hostnameOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || trimmed.length > MAX_LENGTH) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, protocol } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const normal = normaliseHostname(hostname);
  return normal && /\.[a-z][a-z0-9-]*$/.test(normal) ? normal : undefined;
}
