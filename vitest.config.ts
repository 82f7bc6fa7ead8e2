import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global.ts',
    setupFiles: 'test/setup.ts',
    // Processes and not threads, because of the native addon and the child processes of tests. Files share the modules of
    // their process, which halves the time of the suite; none of our modules keeps anything but caches.
    pool: 'forks',
    isolate: false,
    // Tests wait for processes and browsers up to half of their time, so four workers fill two cores.
    maxWorkers: 4,
    // Without Vite, see test/native.ts.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Each test leaves a world behind: with more space for new objects, fewer of them have to be copied.
    execArgv: ['--max-semi-space-size=32', `--import=${new URL('test/native.ts', import.meta.url)}`],
    // Only for what hangs: the bench measures how long things take, and a machine may have other things to do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is polled happens within milliseconds, but not on a busy machine.
    expect: { poll: { timeout: 15_000, interval: 10 } },
    // What a test leaves behind must not help the next one.
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { concurrent: false },
    reporters: ['default', './test/reporter.ts'],
  },
})
