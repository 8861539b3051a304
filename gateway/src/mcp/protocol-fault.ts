/** JSON-RPC 2.0 §5.1; `refused` is in the range reserved for servers. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  internalError: -32603,
  refused: -32000,
} as const;

/** There is no call to answer, so its JSON-RPC id is null. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body() {
    return { jsonrpc: '2.0', id: null, error: { code: this.code, message: this.message } };
  }
}
