import type { CompanyLookupInput, CompanySearchInput } from '../session/client.ts';

export type Call =
  | {
      readonly action: 'search';
      readonly input: CompanySearchInput;
      readonly requestKey: string;
      readonly background?: boolean;
    }
  | { readonly action: 'look-up'; readonly input: CompanyLookupInput; readonly requestKey: string }
  | { readonly action: 'observation'; readonly id: number }
  | { readonly action: 'operation'; readonly usageId: number }
  | { readonly action: 'operations'; readonly filter: Readonly<Record<string, string | number>> }
  | { readonly action: 'statement'; readonly interval: Readonly<Record<string, string | number>> }
  | { readonly action: 'usage' };

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly requestKey?: string;
}

export function toHttp(call: Call): HttpCall {
  switch (call.action) {
    case 'search':
      return { method: 'POST', path: '/api/companies/search', body: searchBody(call), requestKey: call.requestKey };
    case 'look-up':
      return { method: 'GET', path: `/api/companies?${lookUpQuery(call.input)}`, requestKey: call.requestKey };
    case 'observation':
      return { method: 'GET', path: `/api/observations/${call.id}` };
    case 'operation':
      return { method: 'GET', path: `/api/usages/${call.usageId}` };
    case 'operations':
      return { method: 'GET', path: withQuery('/api/usages', call.filter) };
    case 'statement':
      return { method: 'GET', path: withQuery('/api/usage/statement', call.interval) };
    case 'usage':
      return { method: 'GET', path: '/api/usage' };
  }
}

export function searchBody({ input, background }: Extract<Call, { action: 'search' }>): object {
  return { ...input, ...(background && { background }) };
}

function lookUpQuery({ ids, domains }: CompanyLookupInput): string {
  const [name, values] = ids ? ['ids[]', ids] : ['domains[]', domains ?? []];
  return values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function withQuery(path: string, parameters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? path : `${path}?${query}`;
}
