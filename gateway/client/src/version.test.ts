import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from './version.ts';

test('calls name the version of the package', () => {
  expect(VERSION).toBe(manifest.version);
});
