import type { IncomingHttpHeaders } from 'node:http';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Config } from '../config.ts';
import { ProtocolFault, RPC_CODES } from './protocol-fault.ts';

type HostSettings = Pick<Config, 'host' | 'publicUrl' | 'mcpHosts' | 'corsOrigins'>;

/** Prevents DNS rebinding: allows the called host and `corsOrigins`, else ProtocolFault 403. */
export function createHostCheck(settings: HostSettings): (headers: IncomingHttpHeaders) => void {
  const hosts = [...localhostAllowedHostnames(), settings.host, ...publicHost(settings), ...settings.mcpHosts];
  return ({ host, origin }) => {
    const verdict = validateHostHeader(host, hosts);
    if (!verdict.ok) throw forbidden(`${verdict.message}; see CES_PUBLIC_URL and CES_MCP_HOSTS`);
    if (origin !== undefined && !settings.corsOrigins.includes(origin) && hostOf(origin) !== host)
      throw forbidden('Invalid Origin; see CES_CORS_ORIGINS');
  };
}

function publicHost({ publicUrl }: HostSettings): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function forbidden(message: string): ProtocolFault {
  return new ProtocolFault(403, RPC_CODES.refused, message);
}
