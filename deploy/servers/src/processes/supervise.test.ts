import { expect, test } from 'vitest';
import { type Restartable, supervise } from './supervise.ts';

test('a process that ends by itself is started again and named in a line', async () => {
  const world = new World();
  await using supervised = await supervise(world.start, world);
  world.last.end(3);
  await expect.poll(() => world.restarts).toBe(1);
  expect(supervised.current.pid).toBe(2);
  expect(world.lines).toEqual(['it ended by itself (code 3); it is started again', 'it runs again']);
});

test('a start that fails is tried again', async () => {
  const world = new World();
  await using supervised = await supervise(world.start, world);
  world.failures = 1;
  world.last.end(1);
  await expect.poll(() => world.restarts).toBe(1);
  expect(supervised.current.pid).toBe(2);
  expect(world.lines.slice(1)).toEqual(['it did not start: not now', 'it runs again']);
});

test('a process that is stopped stays stopped', async () => {
  const world = new World();
  const supervised = await supervise(world.start, world);
  await supervised[Symbol.asyncDispose]();
  expect(world.started).toBe(1);
  expect(world.lines).toEqual([]);
});

class World {
  readonly name = 'it';
  readonly lines: string[] = [];
  started = 0;
  restarts = 0;
  failures = 0;
  last: Restartable & { end(code: number): void } = this.#process();
  readonly say = (line: string) => void this.lines.push(line);
  readonly onRestart = () => {
    this.restarts += 1;
  };
  readonly start = async () => {
    if (this.failures-- > 0) throw new Error('not now');
    this.last = this.#process();
    this.started += 1;
    return this.last;
  };

  #process() {
    const { promise: ended, resolve: end } = Promise.withResolvers<number>();
    return { pid: this.started + 1, ended, end, [Symbol.asyncDispose]: async () => end(0) };
  }
}
