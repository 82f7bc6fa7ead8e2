import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { beforeAll, expect, test } from 'vitest'
import webpack from 'webpack'
import { installedPackage } from '../installed.ts'
import { createSandbox } from '../sandbox.ts'

type Format = 'esm' | 'cjs'
type Program = keyof typeof PROGRAMS
type Bundler = (entries: Record<string, string>, folder: string) => Promise<unknown>

const FORMATS = ['esm', 'cjs'] as const
const endingOf = (format: Format) => (format === 'esm' ? 'mjs' : 'cjs')

/**
 * Each with the settings that its documentation gives for a program of Node. All programs go in together, into a folder
 * for each format.
 */
const bundlers = {
  esbuild: (entryPoints, folder) =>
    Promise.all(
      FORMATS.map((format) =>
        build({
          entryPoints,
          outdir: join(folder, format),
          bundle: true,
          minify: true,
          platform: 'node',
          format,
          splitting: format === 'esm',
          outExtension: { '.js': `.${endingOf(format)}` },
          logLevel: 'silent',
        }),
      ),
    ),
  async rollup(input, folder) {
    const bundle = await rollup({
      input,
      external: /^node:/,
      plugins: [nodeResolve({ preferBuiltins: true })],
      onLog: () => {},
    })
    for (const format of FORMATS) {
      const ending = endingOf(format)
      const names = { entryFileNames: `[name].${ending}`, chunkFileNames: `[name]-[hash].${ending}` }
      await bundle.write({ dir: join(folder, format), format, ...names })
    }
  },
  // The emulator is minified by esbuild above; terser would take as long as all the rest.
  webpack: ({ client, sandbox }, folder) =>
    Promise.all([
      compiled({ client: client! }, folder, 'esm', true),
      compiled({ client: client!, sandbox: sandbox! }, folder, 'cjs', false),
    ]),
} satisfies Record<string, Bundler>

const compiled = (entry: Record<string, string>, folder: string, format: Format, minimize: boolean) =>
  new Promise((resolve, reject) =>
    webpack(
      {
        entry,
        mode: 'production',
        target: 'node',
        optimization: { minimize },
        experiments: { outputModule: format === 'esm' },
        output: {
          path: join(folder, format),
          filename: `[name].${endingOf(format)}`,
          chunkFilename: `[name]-chunk.${endingOf(format)}`,
          ...(format === 'esm' ? { module: true, library: { type: 'module' } } : { library: { type: 'commonjs2' } }),
        },
      },
      (error, stats) =>
        error || stats?.hasErrors() || stats?.hasWarnings()
          ? reject(error ?? new Error(stats!.toString()))
          : resolve(stats),
    ),
  )

const PROGRAMS = {
  client: `
import { createClient, Refusal } from 'messaging-sandbox'
import { createClient as createAlone } from 'messaging-sandbox/client'
import { parseEvent, verifySignature } from 'messaging-sandbox/webhooks'
const client = createClient({ baseUrl: process.argv[2], apiKey: 'sk_sandbox_default' })
const other = createAlone({ baseUrl: process.argv[2], apiKey: 'sk_sandbox_default' })
const run = async () => {
  const refusal = await client.contacts.get('nobody').catch((error) => error)
  const { messages } = await other.messages.list()
  const event = parseEvent('{"id":"evt_1","event":"message.read","timestamp":"","data":{}}')
  console.log(refusal instanceof Refusal, refusal.code, messages.length, event.event, verifySignature('x', 'sha256=0', 's'))
}
run()`,
  sandbox: `
import { createSandbox } from 'messaging-sandbox'
const run = async () => {
  const sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920000', message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION', content: { text: 'Hello' },
  })
  await sandbox.clock.advance('1h')
  console.log((await sandbox.client.messages.get(message_id)).status)
  await sandbox.stop()
}
run()`,
}

let home: string
let place: string
const made: Partial<Record<keyof typeof bundlers, Promise<unknown>>> = {}

beforeAll(async () => {
  home = await mkdtemp(join(await installedPackage(), 'bundled-'))
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(home, `${name}.mjs`), text)
  // The bundles run elsewhere, as on a server. The package is there for its compiled SQLite only.
  place = await mkdtemp(join(tmpdir(), 'bundles-'))
  await mkdir(join(place, 'node_modules'))
  await symlink(join(home, '../node_modules/messaging-sandbox'), join(place, 'node_modules/messaging-sandbox'))
})

/** Bundles all programs once. */
async function bundle(bundler: keyof typeof bundlers, program: Program, format: Format): Promise<string> {
  const entries = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, join(home, `${name}.mjs`)]))
  made[bundler] ??= bundlers[bundler](entries, join(place, bundler))
  await made[bundler]
  return join(place, bundler, format, `${program}.${endingOf(format)}`)
}

async function output(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: dirname(file) })
  return stdout.trim()
}

for (const bundler of ['esbuild', 'rollup', 'webpack'] as const)
  for (const format of FORMATS) {
    test(`client and webhook functions work bundled by ${bundler} as ${format}`, async () => {
      await using sandbox = await createSandbox()
      expect(await output(await bundle(bundler, 'client', format), sandbox.url)).toBe(
        'true not_found 0 message.read false',
      )
    })

    if (bundler === 'webpack' && format === 'esm') continue
    test(`createSandbox works bundled by ${bundler} as ${format}`, async () => {
      expect(await output(await bundle(bundler, 'sandbox', format))).toBe('read')
    })
  }

test('a bundle without the package says what to install', async () => {
  const alone = join(await mkdtemp(join(tmpdir(), 'alone-')), 'sandbox.cjs')
  await cp(await bundle('esbuild', 'sandbox', 'cjs'), alone)
  await expect(output(alone)).rejects.toThrow('install messaging-sandbox in the folder of the bundle')
})

/** A file with everything that it loads at once. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<string> {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = await readFile(file, 'utf8')
  const imported = [...text.matchAll(/(?:from|import)"(\.\/[^"]+)"/g)].map(([, name]) => join(file, '..', name!))
  return [text, ...(await Promise.all(imported.map((it) => loadedBy(it, seen))))].join('\n')
}

test('a program that uses the client only loads nothing of the emulator', async () => {
  const client = await loadedBy(await bundle('esbuild', 'client', 'esm'))
  expect(client).toContain('Authorization')
  expect(client).not.toContain('CREATE TABLE')
  const all = join(place, 'esbuild/esm')
  const texts = await Promise.all((await readdir(all)).map((name) => readFile(join(all, name), 'utf8')))
  expect(texts.join('')).toContain('CREATE TABLE')
})

test('bundling the webhook functions for a runtime without node:crypto fails and names the module', async () => {
  const entry = join(home, 'edge.mjs')
  await writeFile(entry, `export { verifySignature } from 'messaging-sandbox/webhooks'`)
  const bundled = build({ entryPoints: [entry], write: false, bundle: true, platform: 'browser', logLevel: 'silent' })
  await expect(bundled).rejects.toThrow('Could not resolve "node:crypto"')
})

test('messaging-sandbox/client weighs at most 30 kB', async () => {
  await writeFile(join(home, 'alone.mjs'), `export { createClient } from 'messaging-sandbox/client'`)
  const { outputFiles } = await build({
    entryPoints: [join(home, 'alone.mjs')],
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
  })
  const made = Buffer.from(outputFiles[0]!.contents)
  expect(gzipSync(made).length).toBeLessThan(30_000)
  expect(made.includes('reader-61'), 'the worlds of the package are in it').toBe(false)
})
