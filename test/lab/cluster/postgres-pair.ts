import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@ces/servers/ports';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { expectNoCrash } from '@ces/servers/test-support/crash';
import { seeded } from '../../support/random.ts';
import { copyServer, withSuperuser, writeBeside } from './base-backup.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';

export interface PostgresPair extends AsyncDisposable {
  /** Starts the previous primary or, after `giveUpPrimary`, promotes the standby. */
  startPrimary(): Promise<PostgresServer>;
  /**
   * Creates a new standby and resolves once it confirms every commit. The next start then promotes
   * it.
   */
  giveUpPrimary(): Promise<void>;
}

export interface PairOptions {
  readonly directory: string;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
}

interface Node {
  readonly directory: string;
  readonly port: number;
  readonly logFile: string;
  server: PostgresServer | undefined;
}

/** Retains WAL that a standby still needs after a disconnection. */
const LOG_KEPT = { wal_keep_size: '1GB', wal_retrieve_retry_interval: '200ms' };
const CONFIRMS_WITHIN_MS = 60_000;

/**
 * The address leads to the primary, as an operator's Service does. It refuses connections while
 * there is none.
 */
export async function createPostgresPair({ directory, password, settings }: PairOptions): Promise<PostgresPair> {
  await using cleanup = new AsyncDisposableStack();
  const nodes: Node[] = [];
  const addNode = async (): Promise<Node> => {
    const name = `postgres-${nodes.length + 1}`;
    const logFile = path.join(directory, `${name}.log`);
    const node = { directory: path.join(directory, name), port: await freePort(0), logFile, server: undefined };
    nodes.push(node);
    return node;
  };
  const start = async (node: Node, own: Readonly<Record<string, string>> = {}): Promise<PostgresServer> => {
    node.server = await startPostgres({
      dataDirectory: node.directory,
      port: node.port,
      password,
      settings: { ...settings, ...LOG_KEPT, ...own },
      logFile: node.logFile,
    });
    return node.server;
  };
  let primary = await addNode();
  let standby: Node | undefined;
  let isGivenUp = false;
  const front = cleanup.use(await startProxy(primary.port, seeded('the address of the pair')));
  cleanup.defer(async () => {
    for (const { server } of nodes) await server?.[Symbol.asyncDispose]();
    for (const { server, logFile } of nodes) if (server) await expectNoCrash(logFile);
  });
  const kept = cleanup.move();
  return {
    async startPrimary() {
      if (!isGivenUp) return at(front, await start(primary));
      if (!standby?.server) throw new Error('nothing follows the primary that was given up');
      await withSuperuser(standby.server, (client) => client.query('select pg_promote(true, 60)'));
      const { server } = standby;
      primary = standby;
      [standby, isGivenUp] = [undefined, false];
      front.retarget(primary.port);
      return at(front, server);
    },
    async giveUpPrimary() {
      const from = primary.server;
      if (!from) throw new Error('there is no primary to follow');
      const node = await addNode();
      await writeBeside(await copyServer(from, primary.directory, node.directory), 'standby.signal', '');
      const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
      await start(node, { primary_conninfo: conninfo });
      standby = node;
      await withSuperuser(from, async (client) => {
        await client.query(`alter system set synchronous_standby_names = '*'`);
        await client.query('select pg_reload_conf()');
      });
      await untilConfirmed(from);
      isGivenUp = true;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function at(front: FaultyProxy, server: PostgresServer): PostgresServer {
  const superuserUrl = (database: string) => {
    const url = new URL(server.superuserUrl(database));
    url.port = String(front.port);
    return url.href;
  };
  return { ...server, port: front.port, superuserUrl };
}

/** Waits until every acknowledged commit is on the standby. */
async function untilConfirmed(server: PostgresServer): Promise<void> {
  await withSuperuser(server, async (client) => {
    for (const deadline = performance.now() + CONFIRMS_WITHIN_MS; ; await pause(50)) {
      const { rowCount } = await client.query(
        `select from pg_stat_replication
         where sync_state = 'sync' and state = 'streaming' and current_setting('synchronous_standby_names') = '*'`,
      );
      if (rowCount) return;
      if (performance.now() > deadline) throw new Error('the standby does not confirm');
    }
  });
}
