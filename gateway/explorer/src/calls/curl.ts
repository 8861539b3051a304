import { type Call, toHttp } from './call.ts';

/** `$api_key` holds the API key. */
export function asCurl(call: Call, baseUrl: string): string {
  const { method, path, body, requestKey } = toHttp(call);
  const address = method === 'GET' ? `-g ${quote(baseUrl + path)}` : quote(baseUrl + path);
  const parts = [
    `curl -sS ${address}`,
    '-H "Authorization: Bearer $api_key"',
    requestKey !== undefined && `-H ${quote(`Idempotency-Key: ${requestKey}`)}`,
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quote(JSON.stringify(body))}`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

/** Single quotes, because a shell expands nothing inside them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
