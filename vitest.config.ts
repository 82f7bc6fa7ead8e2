import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

export default defineConfig({
  plugins: [lazySchemas()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global.ts',
    // Processes and not threads, because of the native addon and the child processes of tests. Files share the modules of
    // their process, which halves the time of the suite; none of our modules keeps anything but caches.
    pool: 'forks',
    isolate: false,
    // Tests wait for processes and browsers up to half of their time, so four workers fill two cores.
    maxWorkers: 4,
    // Each test leaves a world behind: with more space for new objects, fewer of them have to be copied.
    execArgv: ['--max-semi-space-size=32'],
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

/** Gives sources their schemas as the package has them, made when they are first used. */
function lazySchemas(): NonNullable<ViteUserConfig['plugins']>[number] {
  const lazyZod = fileURLToPath(new URL('scripts/build/lazy-zod.ts', import.meta.url))
  return {
    name: 'lazy schemas',
    enforce: 'pre',
    resolveId: (name, importer) => (name === 'zod' && importer?.includes('/src/') ? lazyZod : undefined),
  }
}
