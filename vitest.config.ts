import { configDefaults, defineConfig } from 'vitest/config';
import { IS_NIGHTLY } from './test/support/volume.ts';

export default defineConfig({
  test: {
    include: ['{proto/src,services,gateway,deploy,test}/**/*.test.ts'],
    // Programs that measure are run, and their tests with them, by night.
    exclude: [...configDefaults.exclude, ...(IS_NIGHTLY ? [] : ['test/lab/**'])],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/close-channels.ts'],
    // These bounds end hanging tests. They do not judge speed, because a busy machine is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Files share nothing but modules: none mocks one, and what a file starts it ends.
    isolate: false,
    // Tests wait more than they work: six keep two cores busy.
    maxWorkers: 6,
    reporters: ['default'],
    // What a test and the programs under it print is shown when it fails.
    silent: 'passed-only',
    tags: [{ name: 'nightly', description: 'Too long for every run; `npm run nightly` runs it.' }],
    tagsFilter: IS_NIGHTLY ? [] : ['!nightly'],
  },
});
