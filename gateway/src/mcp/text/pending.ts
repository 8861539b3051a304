import type { Pending } from '../../schema/operation.ts';
import { allowanceText } from './lines.ts';

export function describePending({ usage, request_allowance }: Pending): string {
  return `Not finished: operation ${usage.id} is ${usage.status}. Wait a few seconds, then repeat this call with the same arguments and the same request_key; that costs nothing. Now ${allowanceText(request_allowance)}.`;
}
