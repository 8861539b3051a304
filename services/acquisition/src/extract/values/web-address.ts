import { findContactDetail } from '@ces/proto/contact-details';

const MAX_LENGTH = 2048;

export function firstWebAddress(candidates: readonly unknown[], otherwise: string): string {
  return candidates.find(isWebAddress) ?? otherwise;
}

/**
 * Tests for a web address that lookup accepts and that contains no e-mail address.
 * `?to=jane%40agency.example` and `https://jane@host/` contain one.
 */
export function isWebAddress(candidate: unknown): candidate is string {
  return (
    typeof candidate === 'string' &&
    candidate.length <= MAX_LENGTH &&
    /^https?:\/\/[^\s]+$/i.test(candidate) &&
    URL.canParse(candidate) &&
    findContactDetail(candidate) !== 'an e-mail address'
  );
}

/** Encodes a text as one path segment. Replaces lone surrogates, which a URL cannot hold. */
export function pathPart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
