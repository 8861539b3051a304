import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{proto/src,services,gateway,deploy,test}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes when the machine gets to it; a test that must see it in time says so.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Files share nothing but modules: none mocks one, and what a file starts it ends.
    isolate: false,
    maxWorkers: 3,
    reporters: ['default'],
  },
});
