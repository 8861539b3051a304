import type { Logger } from '@ces/chassis/telemetry/log';
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { TaskCreated } from './tasks/created-task.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;
type Implementation = ConstructorParameters<typeof Server>[0];

const MAX_MEMBER_LENGTH = 100;
/** The SDK's error for a result with the wrong shape: our fault. */
const REFUSED_RESULT = 'Invalid tools/call result';

/**
 * The SDK answers malformed requests with its validator's dump. This answers -32602, names the
 * member and hides internal errors.
 */
export class ProtocolServer extends Server {
  readonly #logger: Logger;

  constructor(info: Implementation, options: ServerOptions, logger: Logger) {
    super(info, options);
    this.#logger = logger;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        if (error instanceof TaskCreated) return { ...error.task };
        throw this.#shownError(method, error);
      }
    };
  }

  #shownError(method: string, error: unknown): ProtocolError {
    const message = error instanceof Error ? error.message : String(error);
    const member = message.startsWith(REFUSED_RESULT) ? undefined : refusedMember(message);
    if (member !== undefined)
      return new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Invalid params of ${method}: \`${member}\` is missing or of the wrong type.`,
      );
    if (error instanceof ProtocolError && !message.startsWith(REFUSED_RESULT)) return error;
    this.#logger.error({ err: error, method }, 'MCP method failed');
    return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}

/** JSON at the end of the message; undefined without one. */
function refusedMember(message: string): string | undefined {
  const start = message.indexOf('[');
  if (start < 0) return undefined;
  const path = firstPath(message.slice(start));
  if (!Array.isArray(path)) return undefined;
  const members = path[0] === 'params' ? path.slice(1) : path;
  return (members.length === 0 ? 'params' : members.join('.')).slice(0, MAX_MEMBER_LENGTH);
}

function firstPath(dump: string): unknown {
  try {
    const issues: readonly { readonly path?: unknown }[] = JSON.parse(dump);
    return issues[0]?.path;
  } catch {
    return undefined;
  }
}
