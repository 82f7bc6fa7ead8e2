import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A native addon and child processes: a process for each file, so that a crash names its file.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Tests make what they need; what a test leaves behind must not help the next one.
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { concurrent: false },
    reporters: ['default', './test/reporter.ts'],
  },
})
