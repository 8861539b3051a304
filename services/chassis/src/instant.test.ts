import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { dateOf } from './instant.ts';

test.each([
  [253_402_300_799n, 999_999_000, '9999-12-31T23:59:59.999Z'],
  [1_772_600_767n, 89_999_000, '2026-03-04T05:06:07.089Z'],
  [-1n, 999_999_999, '1969-12-31T23:59:59.999Z'],
  [-62_135_596_800n, 0, '0001-01-01T00:00:00.000Z'],
])('second %s and %s nanoseconds lie in the millisecond %s', (seconds, nanos, millisecond) => {
  expect(dateOf(create(TimestampSchema, { seconds, nanos })).toISOString()).toBe(millisecond);
});
