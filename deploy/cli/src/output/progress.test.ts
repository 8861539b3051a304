import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startProgress } from './progress.ts';

test('on a terminal the end leaves one line with all of what was last said, drawn over what was before', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  {
    using progress = startProgress(stream, 'reading');
    progress.at('3 of 4 files', 0.75);
  }
  const empty = `\rreading ${'░'.repeat(30)} 0 %  \u001b[K`;
  expect(String(stream.read())).toBe(
    `${empty}\rreading ${'█'.repeat(23)}${'░'.repeat(7)} 75 %  3 of 4 files\u001b[K\n`,
  );
});

test('a line never wraps', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 20 });
  {
    using progress = startProgress(stream, 'reading a file with a long name');
    progress.at('a note', 2);
  }
  expect(String(stream.read())).toBe('\rreading a file with\u001b[K\rreading a file with\u001b[K\n');
});

test('elsewhere a step that ends at once says nothing', () => {
  const stream = new PassThrough();
  {
    using progress = startProgress(stream, 'reading');
    progress.at('3 of 4 files', 0.75);
  }
  expect(stream.read()).toBeNull();
});
