import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{services,gateway,deploy,test}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
    reporters: ['default'],
  },
});
