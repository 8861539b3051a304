import { findContactDetail } from '@ces/proto/contact-details';

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
