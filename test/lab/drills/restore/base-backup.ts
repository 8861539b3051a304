import { execFile } from 'node:child_process';
import { chown, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PostgresServer } from '@ces/servers/postgres/server';
import pg from 'pg';

const run = promisify(execFile);

/**
 * Copies the data directory of a running server as `pg_basebackup` does: files, label and required
 * WAL. Returns the directory of the copy.
 */
export async function copyServer(server: PostgresServer, dataDirectory: string, to: string): Promise<string> {
  const source = await filesBelow(dataDirectory);
  const copy = path.join(to, path.basename(source));
  await mkdir(to, { recursive: true });
  await withSuperuser(server, async (client) => {
    await client.query(`select pg_backup_start('copy', true)`);
    await copyFiles(source, copy);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await copyFiles(`${source}/pg_wal/.`, `${copy}/pg_wal/`);
    await writeBeside(copy, 'backup_label', rows[0]?.labelfile ?? '');
  });
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(copy, name), { force: true });
  return copy;
}

/**
 * Ignores files that disappear during the copy: WAL contains their changes, and removed WAL is
 * older than the copy. Any other failure throws.
 */
async function copyFiles(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to], { env: { ...process.env, LC_ALL: 'C' } }).catch((error: { stderr?: string }) => {
    const lines = error.stderr?.trim().split('\n') ?? [''];
    if (!lines.every((line) => line.endsWith(': No such file or directory'))) throw error;
  });
}

/** The server may run under another account, so the file gets the owner of the others. */
export async function writeBeside(directory: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(path.join(directory, 'PG_VERSION'));
  await writeFile(path.join(directory, name), text);
  await chown(path.join(directory, name), uid, gid);
}

export async function filesBelow(directory: string): Promise<string> {
  const { stdout } = await run('find', [`${await realpath(directory)}/`, '-maxdepth', '2', '-name', 'PG_VERSION']);
  return path.dirname(stdout.trim());
}

export async function withSuperuser<T>(
  server: Pick<PostgresServer, 'superuserUrl'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
