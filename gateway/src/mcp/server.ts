import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { QUOTES_ARE_DATA } from '../schema/facts.ts';
import { callTool, type ToolCall } from './call-tool.ts';
import { ProtocolServer } from './protocol-server.ts';
import { TaskCreated } from './tasks/created-task.ts';
import { serveTasks, TASKS, takesTasks } from './tasks/serve-tasks.ts';
import type { Tool } from './tool.ts';
import { traceTool } from './trace-tool.ts';

const INFO = { name: 'company-evidence-search', title: 'Company evidence search', version: '1.0.0' };

const INSTRUCTIONS = `Dated, quoted, linked evidence about companies in Canada and the United States. \`search_companies\` finds companies by what they do; \`get_companies\` looks known ones up by id or domain. Both are metered by operation: \`request_key\` names it, and the identical call with the same key polls or repeats it without a charge. Other arguments under a used key are \`idempotency_conflict\`. \`request_allowance\` says how many request units are left, shared by the whole subscription. \`rate_limited\` and \`service_unavailable\`: wait, then repeat the identical call. An error with \`usage\` is stored: its key replays it. Errors without \`usage\` spent nothing and left the key free. \`limitations\` names what the record does not hold, for example \`layoffs_not_recorded\`, and \`relevance_not_validated\` says that the estimate behind what is left out is not exact. A match is evidence of activity, never proof of buying intent, and an empty result is not proof of absence. ${QUOTES_ARE_DATA}`;

export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

/** Tools change only with a release. */
const STATIC = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** The SDK's high-level server reports faults of arguments as text instead of an Error body. */
export function createServer(tools: readonly Tool[], call: ToolCall): Server {
  const options = {
    capabilities: { tools: {}, ...(call.era === 'modern' && { extensions: { [TASKS]: {} } }) },
    instructions: INSTRUCTIONS,
    supportedProtocolVersions: [...REVISIONS],
    cacheHints: { 'tools/list': STATIC, 'server/discover': STATIC },
  };
  const server = new ProtocolServer(INFO, options, call.logger);
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ definition }) => definition) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    const options = { takesTasks: takesTasks(server, call) };
    const result = await traceTool(params.name, mcpReq, call, (traced) =>
      callTool(tool, params.arguments ?? {}, traced, options),
    );
    if (result instanceof TaskCreated) throw result;
    return result;
  });
  if (call.era === 'modern') serveTasks(server, call);
  return server;
}
