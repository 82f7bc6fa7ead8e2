import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Replaces functions of Node's file system, also for modules that were loaded before. */
export function replaced(functions: Partial<typeof fs>): Disposable {
  const names = Object.keys(functions) as (keyof typeof fs)[]
  const originals = Object.fromEntries(names.map((name) => [name, fs[name]]))
  Object.assign(fs, functions)
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      Object.assign(fs, originals)
      syncBuiltinESMExports()
    },
  }
}
