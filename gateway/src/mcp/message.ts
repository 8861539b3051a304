import { InvalidInput } from '../errors/public-error.ts';
import { BODY_RULES, checkJson, decodeUtf8 } from '../input/json.ts';
import { memberText } from './member-text.ts';
import { ProtocolFault, RPC_CODES } from './protocol-fault.ts';

export interface Message {
  readonly json: unknown;
  readonly method: unknown;
  readonly argumentsFault: InvalidInput | undefined;
}

const ARGUMENTS_PATH = ['params', 'arguments'];
const ARGUMENTS_RULES = { ...BODY_RULES, subject: 'The arguments' };
/** The interface reads no other numbers. */
const MESSAGE_RULES = {
  subject: 'The message',
  maxDepth: BODY_RULES.maxDepth + ARGUMENTS_PATH.length,
  wholeNumbers: false,
  maxItems: Number.POSITIVE_INFINITY,
};

/** Throws ProtocolFault, but returns a fault of the arguments, which becomes a tool result. */
export function readMessage(body: Buffer): Message {
  const text = decode(body);
  const json = parse(text);
  if (Array.isArray(json)) throw invalid('Send one message at a time.');
  const argumentsFault = faultOf(memberText(text, ARGUMENTS_PATH) ?? '', ARGUMENTS_RULES);
  const messageFault = argumentsFault ? undefined : faultOf(text, MESSAGE_RULES);
  if (messageFault) throw invalid(messageFault.message);
  return { json, method: (json as { method?: unknown } | null)?.method, argumentsFault };
}

function faultOf(text: string, rules: typeof ARGUMENTS_RULES): InvalidInput | undefined {
  try {
    checkJson(text, rules);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return error;
    throw error;
  }
}

function decode(body: Buffer): string {
  try {
    return decodeUtf8(body);
  } catch {
    throw new ProtocolFault(400, RPC_CODES.parseError, 'Parse error: the body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolFault(400, RPC_CODES.parseError, 'Parse error: the body is not well-formed JSON.');
  }
}

function invalid(message: string): ProtocolFault {
  return new ProtocolFault(400, RPC_CODES.invalidRequest, `Invalid request: ${message}`);
}
