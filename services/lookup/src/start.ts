import { startBroker } from '@ces/chassis/jetstream';
import type { RunningService } from '@ces/chassis/lifecycle';
import type { Logger } from '@ces/chassis/log';
import { createPool } from '@ces/chassis/postgres';
import { serve } from '@ces/chassis/service';
import { evidenceBells } from '@ces/proto/bells';
import type { Config } from './config.ts';
import { createEvidenceBell } from './events.ts';
import { callers } from './rpc/callers.ts';
import { registerRoutes } from './rpc/routes.ts';

/** Starts the record and its look-ups. */
export async function start(config: Config, logger: Logger): Promise<RunningService> {
  const pool = createPool({
    connectionString: config.databaseUrl,
    max: config.databasePool,
    applicationName: 'lookup',
    logger,
  });
  const broker = startBroker(config.natsUrl, 'lookup', logger);
  const bell = createEvidenceBell(broker, evidenceBells(config.natsPrefix), logger);
  return await serve({
    config,
    logger,
    pool,
    routes: (router) => registerRoutes(router, { pool, bell }),
    callers,
    background: [broker],
  });
}
