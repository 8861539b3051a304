import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface Server {
  readonly url: string;
  readonly token: string;
}

/** The gateway of the environment variables, or the one of `npm start`. */
export async function findServer(): Promise<Server> {
  const { CES_MCP_URL: url, CES_MCP_TOKEN: token, CES_DATA_DIR } = process.env;
  if (url && token) return { url, token };
  const file = path.resolve(CES_DATA_DIR || path.join(import.meta.dirname, '../../../.local'), 'ready.json');
  try {
    const ready = JSON.parse(await readFile(file, 'utf8'));
    return { url: ready.mcp_url, token: ready.credentials.professional };
  } catch {
    console.error(
      `no gateway to check: ${file} is not there; run \`npm start -- --detach\`, or set CES_MCP_URL and CES_MCP_TOKEN`,
    );
    process.exit(1);
  }
}
