import { randomUUID } from 'node:crypto';
import type { Ready } from '../state/ready-file.ts';

export function greeting(ready: Ready, seconds: number, directory: string): string {
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
  -d '{"query": "cold storage warehouse expansion", "limit": 3}'
`;
}
