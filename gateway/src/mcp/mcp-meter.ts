import { type Attributes, metrics } from '@opentelemetry/api';

/** OpenTelemetry semantic conventions for MCP. */
export const EXECUTE_TOOL = 'execute_tool';
export const TOOL_ERROR = 'tool_error';
const OTHER = '_OTHER';

const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Others share one value. */
const METHODS: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

interface McpOperation {
  readonly method: unknown;
  /** Of a tool of this server. */
  readonly tool: string | undefined;
  /** Of the JSON-RPC answer. */
  readonly errorCode: number | undefined;
  readonly isToolError: boolean;
  readonly transport: Attributes;
}

export type MeasureMcp = (operation: McpOperation, seconds: number) => void;

export function createMcpMeter(): MeasureMcp {
  const duration = metrics.getMeter('ces').createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'MCP requests and notifications, from their receipt to their answer.',
    advice: { explicitBucketBoundaries: BOUNDS },
  });
  return (operation, seconds) => duration.record(seconds, attributesOf(operation));
}

function attributesOf({ method, tool, errorCode, isToolError, transport }: McpOperation): Attributes {
  return {
    'mcp.method.name': METHODS.has(method) ? String(method) : OTHER,
    ...(tool !== undefined && { 'gen_ai.operation.name': EXECUTE_TOOL, 'gen_ai.tool.name': tool }),
    ...(errorCode !== undefined && {
      'error.type': String(errorCode),
      'rpc.response.status_code': String(errorCode),
    }),
    ...(isToolError && { 'error.type': TOOL_ERROR }),
    ...transport,
  };
}
