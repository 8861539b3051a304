const ADVICE: Readonly<Record<string, string>> = {
  invalid_api_key: 'Check the key, or forget it and enter another.',
  subscription_required: 'Renew the subscription; your keys work again when it is active or trialing.',
  usage_not_found: 'Check the number: an operation is seen by the account that made it alone.',
  company_not_found: 'Check the id, or search for the company by name.',
  observation_not_found: 'It may have expired or been withdrawn; look its company up for what is current.',
  invalid_search: 'Change the input and search again: nothing was spent.',
  invalid_request: 'Change the input and try again.',
  idempotency_conflict: 'Search anew with a new key: this one belongs to other inputs.',
  invalid_cursor: 'Search again from the first page: the list behind these pages is gone.',
  planning_unavailable: 'Search anew: the same key would only repeat this.',
  search_failed: 'Search anew: nothing was charged, and the same key would only repeat this.',
  usage_expired: 'Search anew: the operation has expired.',
  request_limit_reached: 'Wait for units to come back, or ask for a smaller page.',
  rate_limited: 'Wait a moment; no units were spent.',
  internal_error: 'Try again with the same key: it is charged once at most.',
  connection_failed:
    'Continue with the same key: if the call arrived, its answer is shown; it is charged once at most.',
  unexpected_answer: 'Something between this page and the service answered: try again with the same key.',
  service_unavailable: 'Try again with the same key in a moment: it is charged once at most.',
};

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
