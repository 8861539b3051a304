import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { normaliseHostname } from '@ces/proto/hostname';
import { normalText } from '@ces/proto/normal-text';
import { refuse } from './refuse.ts';

/** As sent (gateway/docs/contract.md, Input). */
const MAX_FILTER_VALUES = 100;
const MAX_REQUEST_KEY_CODE_POINTS = 1024;

/** Without outer white space (gateway/docs/contract.md, Idempotency). */
export function parseRequestKey(text: string): string {
  const requestKey = text.trim();
  if (requestKey === '')
    throw fail(
      FailureCode.IDEMPOTENCY_KEY_REQUIRED,
      '`request_key` is required: send a new one for new work, the same one for a retry.',
    );
  if (/\p{Cc}/u.test(requestKey)) refuse('`request_key` contains a control character: send printable characters only.');
  if ([...requestKey].length > MAX_REQUEST_KEY_CODE_POINTS)
    refuse(`\`request_key\` is too long: send at most ${MAX_REQUEST_KEY_CODE_POINTS} characters.`);
  return requestKey;
}

/** NFC, inner white space collapsed, case kept (gateway/docs/contract.md, Idempotency). */
export function parseQuery(text: string, maxCodePoints: number): string {
  const written = text.trim().replace(/\s+/gu, ' ');
  // NFC shortens to a quarter at most: overlong texts are refused without normalising them.
  if (written.length > maxCodePoints * MOST_COMPOSED * 2) refuse(tooLong(maxCodePoints));
  const query = normalText(written, 'NFC');
  if (query === '') refuse('`query` is blank: describe what to search for.');
  if (query.includes('\0')) refuse('`query` contains the character U+0000: leave it out.');
  if ([...query].length > maxCodePoints) refuse(tooLong(maxCodePoints));
  return query;
}

/** The most code points that NFC composes into one. */
const MOST_COMPOSED = 4;

function tooLong(maxCodePoints: number): string {
  return `\`query\` is too long: send at most ${maxCodePoints} characters.`;
}

export function parseCount(value: number | undefined, field: string, max?: number): number | undefined {
  if (value === undefined) return undefined;
  if (value < 1) refuse(`\`${field}\` must be at least 1.`);
  if (max !== undefined && value > max) refuse(`\`${field}\` must be at most ${max}.`);
  return value;
}

export function parseHostnames(values: readonly string[], field: string, max = MAX_FILTER_VALUES): string[] {
  checkCount(values, field, max);
  const hostnames = values.map(
    (value, index) =>
      normaliseHostname(value) ??
      refuse(
        `\`${field}[${index}]\` is not a hostname: send the bare name, without scheme, path, port or user; an IP address is none.`,
      ),
  );
  return [...new Set(hostnames)];
}

export function parseFilterIds(values: readonly bigint[], field: string): number[] {
  checkCount(values, field, MAX_FILTER_VALUES);
  const ids = values.map((value, index) => {
    const id = Number(value);
    return Number.isSafeInteger(id) && id >= 1
      ? id
      : refuse(`\`${field}[${index}]\` must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}

export function parseChoices(values: readonly string[], field: string, allowed: readonly string[]): string[] {
  for (const [index, value] of values.entries())
    if (!allowed.includes(value)) refuse(`\`${field}[${index}]\` must be one of ${allowed.join(', ')}.`);
  return [...new Set(values)].sort();
}

export function checkCount(values: readonly unknown[], field: string, max: number): void {
  if (values.length > max) refuse(`\`${field}\` has too many items: at most ${max}.`);
}
