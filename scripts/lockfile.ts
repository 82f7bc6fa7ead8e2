/**
 * Adds what `npm install` leaves out of package-lock.json. Run it when test/house/lockfile.test.ts asks for it.
 *
 * - Some registries mirror packages for a few platforms only. Without the builds for the others, `npm ci` refuses the
 *   file on every platform.
 * - npm drops `gypfile: false`. Without it, npm 10 and 11 compile better-sqlite3 and fail on machines without a compiler,
 *   although its package contains the compiled code.
 */
import { readFileSync, writeFileSync } from 'node:fs'

export interface Package {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  gypfile?: boolean
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, Package>
}

export interface MissingEntry {
  name: string
  version: string
  dev: boolean
}

/** Finds optional packages that the lockfile names and that have no entry of their own. */
export function missingEntries({ packages }: Lockfile): MissingEntry[] {
  return Object.entries(packages).flatMap(([path, { dev = false, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !foldersAbove(path).some((folder) => packages[`${folder}node_modules/${name}`]))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** Lists the folders whose node_modules a package is resolved from, nearest first; all but the root end in a slash. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/node_modules/')
  return [...parts.map((_, i) => `${parts.slice(0, parts.length - i).join('/node_modules/')}/`), '']
}

/** The package that contains its compiled code beside the source. */
export const COMPILED = 'node_modules/better-sqlite3'

const FILE = new URL('../package-lock.json', import.meta.url)
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

if (import.meta.main) complete()

/** Adds the missing entries with name, version and platform: enough to be skipped on other platforms and fetched on theirs. */
function complete() {
  const lockfile = JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile
  const missing = missingEntries(lockfile)
  lockfile.packages[COMPILED]!.gypfile = false
  for (const { name, version, dev } of missing)
    lockfile.packages[`node_modules/${name}`] = {
      version,
      ...(dev ? { dev } : {}),
      optional: true,
      ...platformOf(name),
    }
  const sorted = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile.packages = Object.fromEntries(sorted)
  writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`package-lock.json: ${missing.length} entries added`)
}

/** Reads the platform from the name of a package: `@biomejs/cli-linux-x64-musl`. */
function platformOf(name: string): Pick<Package, 'os' | 'cpu' | 'libc'> {
  const partOf = (names: string[]) => names.filter((word) => name.split(/[-/]/).includes(word))
  const [os, cpu] = [partOf(OS), partOf(CPU)]
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} names no platform; complete its entry by hand`)
  if (os[0] !== 'linux') return { cpu, os }
  return { cpu, libc: [/musl/.test(name) ? 'musl' : 'glibc'], os }
}
