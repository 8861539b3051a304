const ADVICE: Readonly<Record<string, string>> = {
  invalid_api_key: 'Check the key, or enter another one.',
  subscription_required: 'Renew the subscription. Your keys work again when it is active or trialing.',
  usage_not_found: 'Check the id. Only the account that created an operation can read it.',
  company_not_found: 'Check the id, or search for the company by name.',
  observation_not_found: 'It may have expired or been withdrawn. Look up its company for current evidence.',
  invalid_search: 'Change the input and search again. Nothing was charged.',
  invalid_request: 'Change the input and try again.',
  idempotency_conflict: 'Search again with a new key. This key belongs to a different input.',
  invalid_cursor: 'Search again from the first page. The shortlist of these pages has expired.',
  planning_unavailable: 'Search again with a new key. The same key repeats this error.',
  search_failed: 'Search again with a new key. Nothing was charged, and the same key repeats this error.',
  usage_expired: 'Search again. The operation has expired.',
  request_limit_reached: 'Wait until units are available again, or request a smaller page.',
  rate_limited: 'Wait a moment, then try again. Nothing was charged.',
  internal_error: 'Try again with the same key. It is charged at most once.',
  connection_failed:
    'Continue with the same key. It shows the answer if the call arrived, and is charged at most once.',
  unexpected_answer: 'A system between this page and the service answered. Try again with the same key.',
  service_unavailable: 'Try again with the same key in a moment. It is charged at most once.',
};

const WRONG_KEY = 'The service does not accept this key. It is misspelled, revoked or expired.';

/** Without its Markdown, or in the words of a person who reads this page. */
export function messageOf(code: string, message: string): string {
  if (code === 'connection_failed') return 'The connection was lost before the answer.';
  if (code === 'invalid_api_key' && !message.includes('scope')) return WRONG_KEY;
  return message.replaceAll('`', '');
}

export type NextStep = 'same-key' | 'new-key' | 'none';

export function adviceFor(code: string): string | undefined {
  return ADVICE[code];
}

export function nextStepAfter(code: string): NextStep {
  if (SAME_KEY.has(code)) return 'same-key';
  return NEW_KEY.has(code) ? 'new-key' : 'none';
}

const SAME_KEY = new Set([
  'subscription_required',
  'request_limit_reached',
  'rate_limited',
  'request_timeout',
  'internal_error',
  'service_unavailable',
  'connection_failed',
  'unexpected_answer',
]);
const NEW_KEY = new Set([
  'idempotency_conflict',
  'invalid_cursor',
  'planning_unavailable',
  'search_failed',
  'usage_expired',
]);
