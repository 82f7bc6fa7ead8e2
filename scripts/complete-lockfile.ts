/**
 * Some registries mirror packages for a few platforms only. npm then leaves the builds for the others out of
 * package-lock.json, and `npm ci` refuses such a file on every platform. This adds an entry for each of them:
 * name, version and platform, enough to be skipped where it does not fit and fetched where it does.
 * Run it after `npm install` when test/house/lockfile.test.ts asks for it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Lockfile, missingEntries, type Package } from './lockfile.ts'

const FILE = new URL('../package-lock.json', import.meta.url)

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const partOf = (name: string, known: string[]) => known.filter((word) => name.split(/[-/]/).includes(word))

/** Reads the platform from the name of a package: `@biomejs/cli-linux-x64-musl`. */
function platformOf(name: string): Pick<Package, 'os' | 'cpu' | 'libc'> {
  const [os, cpu] = [partOf(name, OS), partOf(name, CPU)]
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} names no platform; complete its entry by hand`)
  if (os[0] !== 'linux') return { cpu, os }
  return { cpu, libc: [/musl/.test(name) ? 'musl' : 'glibc'], os }
}

const lockfile = JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile
const missing = missingEntries(lockfile)
for (const { name, version, dev } of missing)
  lockfile.packages[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) }
lockfile.packages = Object.fromEntries(Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`)
console.log(`package-lock.json: ${missing.length} entries added`)
