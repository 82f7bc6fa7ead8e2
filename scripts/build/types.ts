import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const ZOD = realpathSync(fileURLToPath(new URL('../../node_modules/zod', import.meta.url)))

/** Packages whose types are carried along, so that those who install this package need not install them too. */
const CARRIED: Record<string, string> = { zod: 'index.d.ts', 'zod/v4/core': 'v4/core/index.d.ts' }

/** Declares what src/index.ts exports, and no file more than that takes. Answers the exit code of the compiler. */
export function declareTypes(folder: string): number {
  const all = `${folder}-all`
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json', '--outDir', all], {
    stdio: 'inherit',
  })
  if (status === 0) carry(join(all, 'index.d.ts'), { from: resolve(all), to: folder, carried: new Set() })
  rmSync(all, { recursive: true, force: true })
  return status ?? 1
}

interface Move {
  from: string
  to: string
  carried: Set<string>
}

/** Copies a declaration file and all that it names, with the names as they are then. */
function carry(path: string, move: Move): string {
  const file = resolve(path)
  const place = file.startsWith(ZOD)
    ? join(move.to, 'zod', relative(ZOD, file))
    : join(move.to, relative(move.from, file))
  if (move.carried.has(file)) return place
  move.carried.add(file)
  const text = readFileSync(file, 'utf8').replace(
    /(\bfrom |\bimport\()(['"])([^'"]+)\2/g,
    (whole, before: string, quote: string, name: string) => {
      if (name.startsWith('node:')) return whole
      const moved = relative(dirname(place), carry(declarationOf(name, dirname(file)), move)).replaceAll('\\', '/')
      // A declaration is named by the code it declares.
      const code = moved.replace(/\.d\.ts$/, '.js')
      return `${before}${quote}${code.startsWith('.') ? code : `./${code}`}${quote}`
    },
  )
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
  return place
}

function declarationOf(name: string, folder: string): string {
  if (name.startsWith('.')) return join(folder, name.replace(/(\.d)?\.(ts|js)$/, '.d.ts'))
  const carried = CARRIED[name]
  if (!carried) throw new Error(`The types of the package speak of "${name}", which those who install it do not have.`)
  return join(ZOD, carried)
}

/**
 * The same types for CommonJS, where `require` reads the ES modules. A class or function is a value there, so each is
 * named; `export type *` brings all that is only a type.
 */
export async function declareCommonJs(folder: string): Promise<void> {
  const index = resolve(folder, 'index.js')
  const values = Object.keys((await import(index)) as object)
  const mode = `'./types/index.d.ts' with { 'resolution-mode': 'import' }`
  const lines = values.flatMap((name) => [
    `export declare const ${name}: typeof esm.${name}`,
    ...(/^[A-Z]/.test(name) ? [`export type ${name} = esm.${name}`] : []),
  ])
  writeFileSync(
    join(folder, 'index.d.cts'),
    [`import type * as esm from ${mode}`, `export type * from ${mode}`, ...lines, ''].join('\n'),
  )
}
