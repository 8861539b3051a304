import { findContactDetail } from '@ces/proto/contact-details';

const MAX_LENGTH = 2048;

/** The first of `candidates` that is a web address the record takes; `otherwise` when none is. */
export function firstWebAddress(candidates: readonly unknown[], otherwise: string): string {
  return candidates.find(isWebAddress) ?? otherwise;
}

/** A web address that the record takes, and that names nobody: `?to=jane%40agency.example` and `https://jane@host/` do. */
export function isWebAddress(candidate: unknown): candidate is string {
  return (
    typeof candidate === 'string' &&
    candidate.length <= MAX_LENGTH &&
    /^https?:\/\/[^\s]+$/i.test(candidate) &&
    URL.canParse(candidate) &&
    findContactDetail(candidate) !== 'an e-mail address'
  );
}

/** A text of a source as one part of a path: half of a character, which no address can hold, is replaced. */
export function pathPart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
