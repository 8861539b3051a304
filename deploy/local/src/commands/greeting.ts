import { randomUUID } from 'node:crypto';
import type { Stack } from '../stack/stack.ts';

export function greeting(
  { ready, isLive }: Pick<Stack, 'ready' | 'isLive'>,
  seconds: number,
  directory: string,
): string {
  const query = isLive ? 'construction of a building' : 'cold storage warehouse expansion';
  const { base_url: base, credentials } = ready;
  return `
ready in ${seconds.toFixed(1)} s

  explorer   ${base}/explore
  interface  ${base}
  docs       ${ready.docs_url}
  MCP        ${ready.mcp_url}

  keys (also in ${directory}/ready.json)
${Object.entries(credentials)
  .map(([name, apiKey]) => `    ${name.padEnd(13)}${apiKey}`)
  .join('\n')}

Try it:

curl -s ${base}/api/companies/search \\
  -H 'Authorization: Bearer ${credentials.builder}' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: ${randomUUID()}' \\
  -d '{"query": "${query}", "limit": 3}'
`;
}
