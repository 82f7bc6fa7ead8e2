import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pkg from '@yao-pkg/pkg/lib-es5/sea.js'
import type { Metafile, Plugin } from 'esbuild'
import { HOME, nodeLicence, provideBase } from './binary/base.ts'
import { binaryPath, isHost, type Target, targets } from './binary/targets.ts'
import { bundle } from './build/bundle.ts'
import { describe, LICENCES, licenceText, packagesIn } from './build/packages.ts'

/** A larger binary fails the build, so that growth is decided and not overlooked. */
const BUDGET_MB = 145

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values } = parseArgs({ options: { target: { type: 'string', multiple: true }, all: { type: 'boolean' } } })
const unknown = values.target?.find((name) => !targets.some((target) => target.name === name))
if (unknown) throw new Error(`--target ${unknown}: there are ${targets.map(({ name }) => name).join(', ')}.`)

rmSync('dist/bin', { recursive: true, force: true })
process.argv.push('--no-types')
await import('./build.ts')
mkdirSync('dist/bin')
const work = resolve('node_modules/.cache/binary-bundle')
for (const target of targets) {
  const isWanted = values.all || (values.target?.includes(target.name) ?? isHost(target))
  if (isWanted) await make(target)
}

/** Builds one binary. Without a Node for the platform, `--all` skips it and a named platform is an error. */
async function make(target: Target) {
  try {
    await build(target)
  } catch (error) {
    if (!values.all || isHost(target)) throw error
    return console.log(
      `${target.name}: left out. Node ${process.version} for it is not in the registry (${target.base}), and from nodejs.org: ${(error as Error).message}`,
    )
  }
  const megabytes = statSync(binaryPath(target)).size / 1e6
  console.log(
    `${binaryPath(target)}  ${megabytes.toFixed(1)} MB${isHost(target) ? '' : ' (not run: this is another platform)'}`,
  )
  if (megabytes > BUDGET_MB) throw new Error(`${binaryPath(target)} is larger than its budget of ${BUDGET_MB} MB.`)
}

async function build(target: Target) {
  provideBase(target)
  const addon = resolve('node_modules/better-sqlite3/prebuilds', `${target.addon}.node`)
  const entry = join(work, 'sandbox.cjs')
  const contents = await bundleInto(
    target,
    entry,
    createHash('sha256').update(readFileSync(addon)).digest('hex').slice(0, 16),
  )
  const platform = target.os === 'darwin' ? 'macos' : target.os
  const nodeRange = `node${process.version.slice(1)}`
  await atHome(() =>
    pkg.default(entry, {
      targets: [{ nodeRange, platform, arch: target.arch, output: resolve(binaryPath(target)) }] as never,
      signature: true,
      seaConfig: {
        disableExperimentalSEAWarning: true,
        useSnapshot: false,
        // Code compiled here fits no other platform.
        useCodeCache: isHost(target),
        assets: { ...carried(writeLicences(contents)), addon },
      },
    }),
  )
  chmodSync(binaryPath(target), 0o755)
}

/** Lists the build's files beside the code, in folders of their own, and the licences. */
function carried(licences: string): Record<string, string> {
  const files = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative('dist', join(parentPath, name)).replaceAll('\\', '/'))
    .filter((name) => name.includes('/') && !/^(bin|types|sqlite)\//.test(name))
  const assets = { ...Object.fromEntries(files.map((name) => [name, resolve('dist', name)])), [LICENCES]: licences }
  const names = join(work, 'names.json')
  writeFileSync(names, JSON.stringify(Object.keys(assets)))
  return { ...assets, names }
}

/** Writes the licences of Node, of the packages in the bundle, of the viewer and of the inspector's packages. */
function writeLicences(contents: Metafile): string {
  const others = ['swagger-ui-dist', 'preact', '@preact/signals', '@preact/signals-core', 'eventsource-parser']
  const packages = [...new Set([...packagesIn(contents), ...others.map((name) => `node_modules/${name}`)])]
    .sort()
    .map(describe)
  const about = 'This program contains Node.js and these packages, whole or in part, under the licences that follow.'
  const node = { name: 'Node.js', version: process.versions.node, license: 'MIT and others', text: nodeLicence() }
  const path = resolve('dist/bin', LICENCES)
  writeFileSync(path, licenceText([node, ...packages], about))
  return path
}

/** Bundles everything into one file, better-sqlite3 too; only its machine code is a file of its own. */
function bundleInto({ os }: Target, outfile: string, addonHash: string) {
  // This file is never read, but the path must be one of that system.
  const place = `file://${os === 'win' ? '/C:' : ''}/binary/dist/sandbox.js`
  return bundle({
    entryPoints: ['scripts/binary/main.ts'],
    outfile,
    format: 'cjs',
    target: 'node24',
    define: { ADDON_HASH: JSON.stringify(addonHash), 'import.meta.url': JSON.stringify(place) },
    logOverride: { 'empty-import-meta': 'silent' },
    plugins: [fromTheBinary()],
  })
}

function fromTheBinary(): Plugin {
  const instead = (name: string) => ({ path: fileURLToPath(new URL(`./binary/${name}`, import.meta.url)) })
  return {
    name: 'from the binary',
    setup({ onResolve }) {
      onResolve({ filter: /\/packaged\.ts$/ }, () => instead('packaged.ts'))
      onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
        /[\\/]better-sqlite3[\\/]lib[\\/]/.test(importer) ? instead('addon.ts') : undefined,
      )
    },
  }
}

/** Runs `work` with another home folder, because pkg keeps its downloads there. */
async function atHome<T>(work: () => Promise<T>): Promise<T> {
  const { HOME: home, USERPROFILE: profile } = process.env
  Object.assign(process.env, { HOME, USERPROFILE: HOME })
  try {
    return await work()
  } finally {
    if (home !== undefined) process.env.HOME = home
    if (profile !== undefined) process.env.USERPROFILE = profile
    else delete process.env.USERPROFILE
  }
}
