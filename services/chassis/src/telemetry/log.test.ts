import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { logs } from '@opentelemetry/api';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createPool } from '../postgres/pool.ts';
import { createLogger, type Logger } from './log.ts';
import { withLogRecords } from './log-records.ts';

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

test('a line names its level, and lines below the minimum level are not written', async () => {
  const lines = await logged((logger) => {
    logger.debug('a detail');
    logger.warn('a worry');
  });
  expect(lines).toContain('"level":"warn"');
  expect(lines).not.toContain('a detail');
});

test('a token among the fields of a line is masked', async () => {
  const line = await logged((logger) => logger.info({ bearer: 'ces_live_abc' }, 'asked'));
  expect(line).toContain('asked');
  expect(line).not.toContain('ces_live_abc');
});

test('a record says what its line says, masked alike, and nothing of rows', async () => {
  const exporter = new InMemoryLogRecordExporter();
  logs.setGlobalLoggerProvider(new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }));
  onTestFinished(() => logs.disable());
  const error = Object.assign(new Error('refused'), { detail: 'what somebody said', code: '23502' });
  const lines = new PassThrough();
  const logger = createLogger('test', 'info', withLogRecords(lines));
  logger.error({ err: error, bearer: 'ces_live_abc', operation_id: '7' }, 'call failed');
  lines.end();
  const [record] = exporter.getFinishedLogRecords();
  expect(record).toMatchObject({
    body: 'call failed',
    severityText: 'ERROR',
    attributes: {
      operation_id: '7',
      bearer: '[Redacted]',
      'exception.type': 'Error',
      'exception.message': 'refused',
      exception: { code: '23502' },
    },
  });
  expect(JSON.stringify(record?.attributes)).not.toMatch(/ces_live_abc|what somebody said/);
  expect(await text(lines)).toContain('"operation_id":"7"');
});

test('without a collector no line is read again', async () => {
  expect(await logged((logger) => logger.info('asked'))).toContain('asked');
  expect(logs.getLogger('ces').enabled()).toBe(false);
});
