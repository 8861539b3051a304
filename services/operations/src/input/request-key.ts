import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { refuse } from './refuse.ts';

const MAX_CODE_POINTS = 1024;

/** The key that names an operation, without outer white space (decisions.md, Idempotency). */
export function parseRequestKey(text: string): string {
  const key = text.trim();
  if (key === '')
    throw fail(
      FailureCode.IDEMPOTENCY_KEY_REQUIRED,
      'A request key is required: send a new one for new work, the same one for a retry.',
    );
  if (/\p{Cc}/u.test(key)) refuse('The request key contains a control character: send printable characters only.');
  if ([...key].length > MAX_CODE_POINTS)
    refuse(`The request key is too long: send at most ${MAX_CODE_POINTS} characters.`);
  return key;
}
