import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import type { Replica } from '../rolling/replicas.ts';
import type { ReplicatedStack } from '../rolling/replicated-stack.ts';

export type Engine = 'postgres' | 'opensearch';

/** The search process that fills the engine which does not answer. It receives no calls. */
export interface Fills extends AsyncDisposable {
  begin(engine: Engine): Promise<void>;
  untilFilled(): Promise<void>;
}

const execute = promisify(execFile);

const CES = path.join(REPOSITORY, 'deploy/cli/bin/ces.mjs');
const FILLED_WITHIN_MS = 180_000;

export function createFills(stack: ReplicatedStack): Fills {
  let filling: Replica | undefined;
  let begun = 0;
  return {
    async begin(engine) {
      begun += 1;
      const next = await stack.startAside('search', `search-fill-${begun}`, { CES_SEARCH_ENGINE: engine });
      await filling?.[Symbol.asyncDispose]();
      filling = next;
    },
    async untilFilled() {
      const lookup = `http://127.0.0.1:${stack.balancers.get('lookup')?.port}`;
      const token = stack.secrets.admin_token ?? '';
      const env = { ...process.env, CES_SEARCH_URL: filling?.url ?? '', CES_LOOKUP_URL: lookup, CES_RPC_TOKEN: token };
      await execute(process.execPath, [CES, 'index', 'status', '--wait'], { env, timeout: FILLED_WITHIN_MS });
    },
    async [Symbol.asyncDispose]() {
      await filling?.[Symbol.asyncDispose]();
    },
  };
}
