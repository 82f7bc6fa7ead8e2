import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declareClient } from './client-types.ts'

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const ZOD = realpathSync(fileURLToPath(new URL('../../node_modules/zod', import.meta.url)))

/** Packages whose types the package contains, so that its users need not install them. */
const CARRIED: Record<string, string> = { zod: 'index.d.ts', 'zod/v4/core': 'v4/core/index.d.ts' }

/** The declarations that consumers import by name. */
const ENTRIES = [
  'index.d.ts',
  'receiving/index.d.ts',
  ...['vitest', 'jest', 'node-test', 'playwright'].map((name) => `runners/${name}.d.ts`),
]
/** Test runners, which users of their faces have installed with types. */
const BROUGHT = ['vitest', '@jest/globals', '@playwright/test']

/** Writes the declarations that the entries need and no others. Returns the exit code of the compiler. */
export function declareTypes(folder: string): number {
  const all = `${folder}-all`
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json', '--outDir', all], {
    stdio: 'inherit',
  })
  const carried = new Set<string>()
  if (status === 0) declareClient(all)
  if (status === 0) for (const entry of ENTRIES) carry(join(all, entry), { from: resolve(all), to: folder, carried })
  rmSync(all, { recursive: true, force: true })
  return status ?? 1
}

interface Move {
  from: string
  to: string
  carried: Set<string>
}

/** Copies a declaration file and all files that it names, and adapts the names. */
function carry(path: string, move: Move): string {
  const file = resolve(path)
  const place = file.startsWith(ZOD)
    ? join(move.to, 'zod', relative(ZOD, file))
    : join(move.to, relative(move.from, file))
  if (move.carried.has(file)) return place
  move.carried.add(file)
  const text = portable(readFileSync(file, 'utf8')).replace(
    /(\bfrom |\bimport\()(['"])([^'"]+)\2/g,
    (whole, before: string, quote: string, name: string) => {
      if (name.startsWith('node:') || BROUGHT.includes(name)) return whole
      const moved = relative(dirname(place), carry(declarationOf(name, dirname(file)), move)).replaceAll('\\', '/')
      // Imports name the code that a declaration describes.
      const code = moved.replace(/\.d\.ts$/, '.js')
      return `${before}${quote}${code.startsWith('.') ? code : `./${code}`}${quote}`
    },
  )
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
  return place
}

/**
 * Replaces names that TypeScript 5.2, or a compiler without the types of Node, does not know. Without those types, imports of them
 * are `any`.
 */
function portable(text: string): string {
  const own = text
    .replace(
      /^import (?:type )?\{([^}]*)\} (from 'node:(?!test')[\w/]+';)$/gm,
      (_, names: string, from: string) => `// @ts-ignore\nimport type {${names.replaceAll('type ', '')}} ${from}`,
    )
    .replace(/\bUint8Array<ArrayBuffer(Like)?>/g, 'Uint8Array')
    .replace(/\bBuffer\b(<ArrayBuffer(Like)?>)?/g, 'Uint8Array')
    .replace(/\bNodeJS\.ErrnoException\b/g, 'Error')
  const lib = /\bAsyncDisposable\b/.test(own) ? '/// <reference lib="esnext.disposable" />\n' : ''
  const helper = /\bNoInfer</.test(own) ? '\ntype NoInfer<T> = [T][T extends any ? 0 : never];\n' : ''
  return lib + own + helper
}

function declarationOf(name: string, folder: string): string {
  if (name.startsWith('.')) return join(folder, name.replace(/(\.d)?\.(ts|js)$/, '.d.ts'))
  const carried = CARRIED[name]
  if (!carried) throw new Error(`The types of the package speak of "${name}", which those who install it do not have.`)
  return join(ZOD, carried)
}

/**
 * Copies the declarations for CommonJS, whose format their folder decides. A declaration of one format can name the other only
 * by an import attribute, which older compilers do not know.
 */
export function declareCommonJs(types: string, folder: string) {
  cpSync(types, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
}
