import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { memoryFolder } from './test/memory-folder.ts'

const TMPDIR = memoryFolder()

export default defineConfig({
  plugins: [lazySchemas()],
  test: {
    include: ['test/**/*.test.ts'],
    // Processes and not threads: the native addon and the child processes of tests are at home there. Files share the
    // modules of their process, which halves the time of the suite; none of our modules keeps anything but caches.
    pool: 'forks',
    isolate: false,
    // Tests wait for processes and browsers a third of their time, so three workers fill two cores.
    maxWorkers: 3,
    env: TMPDIR === undefined ? {} : { TMPDIR },
    // For what hangs. How long things take is for the bench to say, and not for a machine that has other things to do.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What comes about by itself does so within milliseconds, but not on a machine that is busy with other things.
    expect: { poll: { timeout: 15_000, interval: 10 } },
    // Tests make what they need; what a test leaves behind must not help the next one.
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { concurrent: false },
    reporters: ['default', './test/reporter.ts'],
  },
})

/** Sources have their schemas as they have them in the package, which makes them when they are first used. */
function lazySchemas(): NonNullable<ViteUserConfig['plugins']>[number] {
  const lazyZod = fileURLToPath(new URL('scripts/build/lazy-zod.ts', import.meta.url))
  return {
    name: 'lazy schemas',
    enforce: 'pre',
    resolveId: (name, importer) => (name === 'zod' && importer?.includes('/src/') ? lazyZod : undefined),
  }
}
