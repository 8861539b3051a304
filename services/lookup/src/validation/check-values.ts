import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { findContactDetail } from '@ces/proto/contact-details';
import { visibleText } from '@ces/proto/visible-text';
import { refuse } from './checked.ts';

// Each function throws a refusal inside `check`.

/** `max` counts code points. Postgres cannot store a null character. */
export function checkText(name: string, text: string, max: number): string {
  if (text.trim() === '') refuse(`${name} is empty`);
  if (text.length > max && codePoints(text) > max) refuse(`${name} is longer than ${max} characters`);
  if (text.includes('\0')) refuse(`${name} contains a null character`);
  return text;
}

export function checkShownText(name: string, text: string, max: number): string {
  return checkText(name, visibleText(checkText(name, text, max)), max);
}

/** Contact details must not be kept (decision 0017). */
export function checkFreeText(name: string, text: string, max: number): string {
  const shown = checkShownText(name, text, max);
  const detail = findContactDetail(shown);
  return detail ? refuse(`${name} contains ${detail}`) : shown;
}

const MAX_URI_LENGTH = 2048;

/** Refuses an address with an e-mail address, such as `?to=jane%40agency.example`. */
export function checkUri(text: string): string {
  const uri = checkShownText('source_uri', text, MAX_URI_LENGTH);
  if (!/^https?:\/\//.test(uri) || !URL.canParse(uri)) refuse('source_uri is no http or https address');
  // Digits in an address usually number a document.
  const detail = findContactDetail(uri);
  if (detail === 'an e-mail address') refuse(`source_uri contains ${detail}`);
  return uri;
}

export function checkInstant(name: string, timestamp: Timestamp | undefined): Date {
  return checkOptionalInstant(name, timestamp) ?? refuse(`${name} is missing`);
}

const EARLIEST_MS = Date.UTC(1000, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

export function checkOptionalInstant(name: string, timestamp: Timestamp | undefined): Date | undefined {
  if (!timestamp) return undefined;
  const ms = timestampMs(timestamp);
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS)) refuse(`${name} is out of range`);
  return new Date(ms);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
