/** Codes of JSON-RPC, and the one it leaves to servers. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  internalError: -32603,
  refused: -32000,
} as const;

/** A fault of the protocol: an HTTP status and JSON-RPC's error without an id, where there is no call to answer. */
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
