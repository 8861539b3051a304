import { type Call, searchBody } from './call.ts';

/** Undefined when no tool can do the call. */
export function asMcp(call: Call): string | undefined {
  const params = toolCall(call);
  return params && JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
}

function toolCall(call: Call): { readonly name: string; readonly arguments: object } | undefined {
  if (call.action === 'search')
    return { name: 'search_companies', arguments: { ...searchBody(call), request_key: call.requestKey } };
  if (call.action === 'look-up')
    return { name: 'get_companies', arguments: { ...call.input, request_key: call.requestKey } };
  return undefined;
}
