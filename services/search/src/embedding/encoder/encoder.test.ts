import { createLogger } from '@ces/chassis/telemetry/log';
import { afterEach, expect, test } from 'vitest';
import { EndpointFailure } from '../../endpoint/endpoint.ts';
import { cosine } from '../../ranking/fuse.ts';
import { type EncoderOptions, startEncoder } from './encoder.ts';
import type { SupervisorOptions } from './supervise.ts';

const ALWAYS = new AbortController().signal;
const QUERY = 'companies opening a cold storage warehouse';
const OPENING = 'Acme Foods opened a refrigerated distribution centre in Guelph, Ontario.';
const FUNDING = 'Northwind raised a Series B round of 40 million dollars.';
const PRELOADED = (program: string) => ['--import', `data:text/javascript,${encodeURIComponent(program)}`];

const started: AsyncDisposable[] = [];
afterEach(async () => {
  for (const encoder of started.splice(0)) await encoder[Symbol.asyncDispose]();
});

interface Line {
  readonly msg: string;
  readonly encoder_pid?: number;
}

function start(overrides: Partial<SupervisorOptions> = {}, priority: EncoderOptions['priority'] = 'foreground') {
  const log: Line[] = [];
  const logger = createLogger('search', 'trace', { write: (line) => log.push(JSON.parse(line)) });
  const encoder = startEncoder({ logger, priority }, overrides);
  started.push(encoder);
  const pids = () => log.flatMap(({ encoder_pid: pid }) => pid ?? []);
  return { encoder, log, pids };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a text is near to what means the same, as near as another runtime finds it', async () => {
  const { encoder, pids } = start();
  const [query] = await encoder.embed([QUERY], 'query', ALWAYS);
  const [opening, funding] = await encoder.embed([OPENING, FUNDING], 'passage', ALWAYS);
  if (!query || !opening || !funding) throw new Error('vectors are missing');
  expect(query).toHaveLength(384);
  expect(Math.hypot(...query)).toBeCloseTo(1, 5);
  /* Reference values are from onnxruntime for Python. Processors differ in 8-bit multiplication. */
  expect(Math.abs(cosine(query, opening) - 0.702)).toBeLessThan(0.02);
  expect(Math.abs(cosine(query, funding) - 0.422)).toBeLessThan(0.02);
  expect(pids()).toHaveLength(1);
});

test('vectors come in the order of the texts, and a text has the same vector in any batch', {
  tags: 'nightly',
}, async () => {
  const { encoder, log } = start();
  const texts = [...Array.from({ length: 20 }, (_, at) => `contract ${at} ${'of a bridge '.repeat(at)}`), '\ud800'];
  const together = await encoder.embed(texts, 'passage', ALWAYS);
  const [last] = await encoder.embed(texts.slice(19, 20), 'passage', ALWAYS);
  expect(together).toHaveLength(texts.length);
  expect(together[19]).toEqual(last);
  expect(new Set(together.map((vector) => vector.join())).size).toBe(texts.length);
  expect(await encoder.embed([], 'passage', ALWAYS)).toEqual([]);
  expect(JSON.stringify(log)).not.toContain('bridge');
});

test('text beyond 128 tokens changes nothing', { tags: 'nightly' }, async () => {
  const { encoder } = start();
  const long = 'a plant for batteries in Windsor '.repeat(40);
  const [one, other] = await encoder.embed([long, `${long} and ${FUNDING}`], 'passage', ALWAYS);
  expect(one).toEqual(other);
});

test('a killed process is replaced: the request it was encoding fails, those that wait do not', async () => {
  const { encoder, pids } = start();
  await encoder.embed([QUERY], 'query', ALWAYS);
  const inIt = encoder.embed(Array<string>(64).fill(OPENING), 'passage', ALWAYS);
  const behind = encoder.embed([FUNDING], 'passage', ALWAYS);
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await expect(inIt).rejects.toThrow(EndpointFailure);
  expect(await behind).toHaveLength(1);
  process.kill(pids()[1] ?? 0, 'SIGKILL');
  await expect.poll(() => isRunning(pids()[1] ?? 0)).toBe(false);
  expect(await encoder.embed([QUERY], 'query', ALWAYS)).toHaveLength(1);
  expect(pids()).toHaveLength(3);
});

test('a process that ends at each start is restarted once, then after a pause', { tags: 'nightly' }, async () => {
  const { encoder, pids } = start({ execArgv: PRELOADED('process.exit(3)') });
  const ask = () => encoder.embed([QUERY], 'query', ALWAYS);
  await expect(ask()).rejects.toThrow('the encoder ended');
  await expect(ask()).rejects.toThrow('the encoder ended');
  await expect(ask()).rejects.toThrow('is started again soon');
  expect(pids()).toHaveLength(2);
});

test('a platform without a build of the runtime fails with a reason, and is tried once', {
  tags: 'nightly',
}, async () => {
  const execArgv = PRELOADED('Object.defineProperty(process, "arch", { value: "riscv64" })');
  const { encoder, pids } = start({ execArgv });
  for (let time = 0; time < 2; time += 1)
    await expect(encoder.embed([QUERY], 'query', ALWAYS)).rejects.toThrow(/has no build .* CES_SEARCH_EMBEDDING_URL/);
  expect(pids()).toHaveLength(1);
  expect(isRunning(pids()[0] ?? 0)).toBe(false);
});

test('the 65th waiting request is refused', { tags: 'nightly' }, async () => {
  const { encoder } = start();
  const waiting = Array.from({ length: 64 }, () => encoder.embed([QUERY], 'query', ALWAYS));
  await expect(encoder.embed([QUERY], 'query', ALWAYS)).rejects.toThrow('too many texts wait for the encoder');
  expect(await Promise.all(waiting)).toHaveLength(64);
});

test('an aborted request is rejected at once, and its texts that wait are not encoded', {
  tags: 'nightly',
}, async () => {
  const { encoder, pids } = start({ recycleAfterTexts: 16 });
  const control = new AbortController();
  await encoder.embed([QUERY], 'query', ALWAYS);
  const first = encoder.embed([OPENING], 'passage', ALWAYS);
  const given = encoder.embed(Array<string>(1000).fill(OPENING), 'passage', control.signal);
  control.abort();
  await expect(given).rejects.toThrow(EndpointFailure);
  await expect(encoder.embed([QUERY], 'query', control.signal)).rejects.toThrow(EndpointFailure);
  await first;
  await encoder.embed([QUERY], 'query', ALWAYS);
  /* Sixteen texts would have replaced the process. */
  expect(pids()).toHaveLength(1);
});

test('a process is replaced after a number of texts, and no request fails', { tags: 'nightly' }, async () => {
  const { encoder, pids } = start({ recycleAfterTexts: 16 });
  expect(await encoder.embed(Array<string>(40).fill(FUNDING), 'passage', ALWAYS)).toHaveLength(40);
  expect(pids()).toHaveLength(3);
  expect(pids().filter(isRunning)).toHaveLength(1);
});

test('in the background a process without requests is ended, and started with the next', {
  tags: 'nightly',
}, async () => {
  const { encoder, pids } = start({ idleMs: 1 }, 'background');
  await encoder.embed([FUNDING], 'passage', ALWAYS);
  await expect.poll(() => isRunning(pids()[0] ?? 0)).toBe(false);
  expect(await encoder.embed([FUNDING], 'passage', ALWAYS)).toHaveLength(1);
  expect(pids()).toHaveLength(2);
});

test('a disposed encoder leaves no process and rejects waiting requests', { tags: 'nightly' }, async () => {
  const { encoder, pids, log } = start();
  await encoder.embed([QUERY], 'query', ALWAYS);
  const waiting = encoder.embed(Array<string>(64).fill(OPENING), 'passage', ALWAYS);
  await Promise.all([expect(waiting).rejects.toThrow('the encoder is stopped'), encoder[Symbol.asyncDispose]()]);
  expect(pids().filter(isRunning)).toEqual([]);
  await expect(encoder.embed([QUERY], 'query', ALWAYS)).rejects.toThrow('the encoder is stopped');
  expect(log.map(({ msg }) => msg)).toEqual(['the encoder is started']);
});
