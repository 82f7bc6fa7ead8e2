import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { beforeAll, expect, test } from 'vitest'
import webpack from 'webpack'
import { folder } from '../folder.ts'
import { installedPackage } from '../installed.ts'
import { createSandbox } from '../sandbox.ts'

type Format = 'esm' | 'cjs'
type Bundler = (entry: string, outdir: string, format: Format) => Promise<unknown>

const nameOf = (format: Format) => (format === 'esm' ? 'main.mjs' : 'main.cjs')

/** Each with the settings that its documentation gives for a program of Node. better-sqlite3 has native code. */
const bundlers: Record<string, Bundler> = {
  esbuild: (entry, outdir, format) =>
    build({
      entryPoints: { main: entry },
      outdir,
      bundle: true,
      minify: true,
      platform: 'node',
      format,
      splitting: format === 'esm',
      outExtension: { '.js': format === 'esm' ? '.mjs' : '.cjs' },
      external: ['better-sqlite3'],
      logLevel: 'silent',
    }),
  async rollup(entry, dir, format) {
    const bundle = await rollup({
      input: entry,
      external: ['better-sqlite3', /^node:/],
      plugins: [nodeResolve({ preferBuiltins: true })],
      onLog: () => {},
    })
    await bundle.write({
      dir,
      format,
      entryFileNames: nameOf(format),
      chunkFileNames: `[name]-[hash].${format === 'esm' ? 'mjs' : 'cjs'}`,
    })
  },
  webpack: (entry, path, format) =>
    new Promise((resolve, reject) =>
      webpack(
        {
          entry,
          mode: 'production',
          target: 'node',
          experiments: { outputModule: format === 'esm' },
          output: {
            path,
            filename: nameOf(format),
            chunkFilename: `[name].${format === 'esm' ? 'mjs' : 'cjs'}`,
            ...(format === 'esm' ? { module: true, library: { type: 'module' } } : { library: { type: 'commonjs2' } }),
          },
          externals: { 'better-sqlite3': `${format === 'esm' ? 'module' : 'commonjs'} better-sqlite3` },
        },
        (error, stats) =>
          error || stats?.hasErrors() ? reject(error ?? new Error(stats!.toString())) : resolve(stats),
      ),
    ),
}

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
beforeAll(async () => {
  home = await mkdtemp(join(await installedPackage(), 'bundled-'))
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(home, `${name}.mjs`), text)
})

/** Runs a bundle in a folder without the package: only better-sqlite3 is installed there. */
async function output(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args])
  return stdout.trim()
}

async function bundled(bundler: string, program: keyof typeof PROGRAMS, format: Format): Promise<string> {
  const outdir = join(await folder(), 'out')
  await mkdir(join(outdir, '../node_modules'), { recursive: true })
  await symlink(join(home, '../node_modules/better-sqlite3'), join(outdir, '../node_modules/better-sqlite3'))
  await bundlers[bundler]!(join(home, `${program}.mjs`), outdir, format)
  return join(outdir, nameOf(format))
}

for (const bundler of Object.keys(bundlers))
  for (const format of ['esm', 'cjs'] as const) {
    test(`client and webhook functions work bundled by ${bundler} as ${format}`, async () => {
      await using sandbox = await createSandbox()
      const file = await bundled(bundler, 'client', format)
      expect(await output(file, sandbox.url)).toBe('true not_found 0 message.read false')
    })

    // Rollup and webpack take one format each, because the difference is that of our files.
    if (bundler !== 'esbuild' && (bundler === 'rollup') === (format === 'cjs')) continue
    test(`createSandbox works bundled by ${bundler} as ${format}`, async () => {
      expect(await output(await bundled(bundler, 'sandbox', format))).toBe('read')
    })
  }

test('a program that uses the client only contains nothing of the emulator', async () => {
  const file = await bundled('esbuild', 'client', 'esm')
  expect(await readFile(file, 'utf8')).not.toContain('CREATE TABLE')
})

test('messaging-sandbox/client weighs at most 30 kB', async () => {
  const outdir = await folder()
  await writeFile(join(home, 'alone.mjs'), `export { createClient } from 'messaging-sandbox/client'`)
  await build({
    entryPoints: [join(home, 'alone.mjs')],
    outdir,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
  })
  const made = await readFile(join(outdir, 'alone.js'))
  expect(gzipSync(made).length).toBeLessThan(30_000)
  expect(made.includes('reader-61'), 'the worlds of the package are in it').toBe(false)
})
