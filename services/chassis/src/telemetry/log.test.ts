import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { createPool } from '../postgres/pool.ts';
import { createLogger, type Logger } from './log.ts';

async function logged(write: (logger: Logger) => void): Promise<string> {
  const stream = new PassThrough();
  write(createLogger('test', 'info', stream));
  stream.end();
  return await text(stream);
}

test('a row that the database refuses is not quoted in the log', async () => {
  const pool = createPool({
    connectionString: inject('postgresUrl'),
    max: 1,
    applicationName: 'log test',
    logger: createLogger('test', 'silent'),
  });
  await pool.query('create temporary table kept (excerpt text not null, fact text not null)');
  const refusal: unknown = await pool
    .query("insert into kept (excerpt) values ('what somebody said')")
    .catch((error: unknown) => error);
  const line = await logged((logger) => logger.error({ err: refusal }, 'call failed'));
  expect(refusal).toHaveProperty('detail', expect.stringContaining('what somebody said'));
  expect(line).toContain('not-null constraint');
  expect(line).not.toContain('what somebody said');
  await pool.end();
});

test('a token among the fields of a line is masked', async () => {
  const line = await logged((logger) => logger.info({ bearer: 'ces_live_abc' }, 'asked'));
  expect(line).toContain('asked');
  expect(line).not.toContain('ces_live_abc');
});
