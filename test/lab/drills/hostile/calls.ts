import type { Endpoint, Target } from './endpoint.ts';
import { methods } from './grpc.ts';
import { heads } from './heads.ts';
import { tools } from './mcp.ts';
import { routes } from './rest.ts';

export function endpointsOf(target: Target): Endpoint[] {
  return [...routes(target), ...heads(target), ...tools(target), ...methods(target)];
}
