import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Loaded in each process of the tests, whose modules Node loads without Vite. Vite would transform all of them for each run,
 * and its modules reach every import through an object: a tenth of the CPU of the suite.
 */

// Keeps the JavaScript of the sources, and its compiled code, for the next run.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url)))

const sources = new URL('../src/', import.meta.url).href
const lazyZod = new URL('../scripts/build/lazy-zod.ts', import.meta.url).href

// Gives the sources the schemas of the package, which are made when they are first used.
registerHooks({
  resolve: (name, context, next) =>
    name === 'zod' && context.parentURL?.startsWith(sources)
      ? { url: lazyZod, format: 'module-typescript', shortCircuit: true }
      : next(name, context),
})

let isRegistered = false

/**
 * Resolves the imports of our own files and of Node's modules, after Vitest has registered its hook: that one reports each
 * import to the main process, which only a watching Vitest needs.
 */
export function resolveOwnImports(): void {
  if (isRegistered || process.env.VITEST_MODE === 'WATCH') return
  isRegistered = true
  registerHooks({
    resolve: (name, context, next) =>
      /^\.\.?\/.*\.ts$|^node:/.test(name) && context.parentURL?.startsWith('file:')
        ? { url: new URL(name, context.parentURL).href, shortCircuit: true }
        : next(name, context),
  })
}
