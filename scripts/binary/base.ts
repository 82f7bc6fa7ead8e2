import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isHost, type Target, targets } from './targets.ts'

/** The home folder that pkg is given; below it pkg keeps the Nodes that binaries are made from. */
export const HOME = resolve('node_modules/.cache/binary')

/**
 * Copies the Node of a target to the place where pkg looks for it, so that pkg asks no server: the running one, or the
 * registry's for another platform. Without either, pkg downloads it from nodejs.org.
 */
export function provideBase(target: Target): void {
  const { archive, node } = placesOf(target)
  if (existsSync(`${node}.ok`)) return
  const source = isHost(target) ? process.execPath : nodeFromRegistry(target)
  if (!source) return
  mkdirSync(dirname(node), { recursive: true })
  rmSync(node, { force: true })
  linkOrCopy(source, node)
  // With these marks pkg takes archive and program for complete and checks neither.
  for (const mark of [archive, `${archive}.ok`, `${node}.ok`]) writeFileSync(mark, '')
}

function placesOf({ os, arch }: Target): { archive: string; node: string } {
  const name = join(HOME, '.pkg-cache', 'sea', `node-${process.version}-${os}-${arch}`)
  return os === 'win'
    ? { archive: `${name}.zip`, node: `${name}.exe` }
    : { archive: `${name}.tar.gz`, node: join(name, 'bin', 'node') }
}

/** Reads Node's licence, which is in the package of each platform: the installed one, or that of the registry. */
export function nodeLicence(): string {
  const target = targets.find(isHost)
  const installed = `node_modules/node/node_modules/${target?.base}`
  const folder = isOfThisNode(installed) ? installed : target && packageFromRegistry(target)
  if (!folder) throw new Error(`The licence of Node ${process.version} is neither installed nor in the registry.`)
  return readFileSync(join(folder, 'LICENSE'), 'utf8')
}

const isOfThisNode = (folder: string): boolean =>
  existsSync(join(folder, 'LICENSE')) &&
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version === process.versions.node

function nodeFromRegistry(target: Target): string | undefined {
  const folder = packageFromRegistry(target)
  return folder && join(folder, 'bin', target.os === 'win' ? 'node.exe' : 'node')
}

/** Unpacks Node's registry package without running any of it; undefined if the registry lacks this version. */
function packageFromRegistry({ base }: Target): string | undefined {
  mkdirSync(HOME, { recursive: true })
  const folder = mkdtempSync(join(HOME, `${base}-`))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  try {
    const wanted = `${base}@${process.version.slice(1)}`
    execFileSync(npm, ['pack', wanted, '--silent', '--pack-destination', folder], {
      stdio: ['ignore', 'ignore', 'ignore'],
      shell: process.platform === 'win32',
    })
  } catch {
    return undefined
  }
  execFileSync('tar', ['-xzf', readdirSync(folder)[0]!], { cwd: folder })
  return join(folder, 'package')
}

function linkOrCopy(from: string, to: string) {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
