import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction, createContext } from 'node:vm'
import { expect, test } from 'vitest'
import type * as Library from '../../src/index.ts'
import { folder } from '../folder.ts'
import { runConsumer } from './consumer.ts'

const BUNDLE = fileURLToPath(new URL('../../dist/index.cjs', import.meta.url))
const DIST = dirname(BUNDLE)

/** The environment of a test file in Jest: its own globals, timers and process among them, and no access to ES modules. */
function requireAsJestDoes(): typeof Library {
  const { Buffer, URL, URLSearchParams, TextDecoder, TextEncoder, AbortController, AbortSignal, DOMException } =
    globalThis
  const globals = { Buffer, URL, URLSearchParams, TextDecoder, TextEncoder, AbortController, AbortSignal, DOMException }
  const nodes = { process, performance, setTimeout, clearTimeout, setImmediate, clearImmediate, structuredClone }
  const parsingContext = createContext({ ...globals, ...nodes })
  const modules = new Map<string, { exports: unknown }>()
  const evaluated = (file: string): unknown => {
    const module = modules.get(file) ?? { exports: {} }
    if (modules.has(file)) return module.exports
    modules.set(file, module)
    // Without a rule for import() the code cannot import, as in Jest.
    const code = compileFunction(
      readFileSync(file, 'utf8'),
      ['module', 'exports', 'require', '__filename', '__dirname'],
      { filename: file, parsingContext },
    )
    const native = createRequire(file)
    const require = (name: string) => {
      if (name.startsWith('node:')) return native(name)
      const path = native.resolve(name)
      if (/\.m?js$/.test(path) && path.startsWith(DIST)) throw new Error(`Must use import to load ${name}`)
      return path.endsWith('.node') ? native(path) : evaluated(path)
    }
    code(module, module.exports, Object.assign(require, { resolve: native.resolve }), file, dirname(file))
    return module.exports
  }
  return evaluated(BUNDLE) as typeof Library
}

test('jest, which gives each test file a realm of its own and no import, requires the library', async () => {
  const { createSandbox, Refusal } = requireAsJestDoes()
  const sandbox = await createSandbox({ maxOpenNamespaces: 1 })
  const refused = await sandbox.client.messages.get('msg_none').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  const name = await sandbox.snapshot()
  await sandbox.restore(name)
  for (const namespace of ['one', 'two', 'three'])
    await sandbox.as(namespace).contacts.create({ email: 'ada@example.com' })
  expect(await sandbox.client.world.dump()).toContain('contacts')
  await sandbox.stop()
})

test('a data folder that is in use is refused by name in each realm', async () => {
  const data = await folder()
  const [one, other] = [requireAsJestDoes(), requireAsJestDoes()]
  const sandbox = await one.createSandbox({ data })
  for (const { createSandbox } of [one, other])
    await expect(createSandbox({ data })).rejects.toThrow(`in use by process ${process.pid}`)
  await sandbox.stop()
  await (await other.createSandbox({ data })).stop()
})

test('import and require in one process load one library', async () => {
  const source = `
    import { createRequire } from 'node:module'
    import * as imported from 'messaging-sandbox'
    const required = createRequire(import.meta.url)('messaging-sandbox')
    console.log(Object.keys(imported).every((name) => imported[name] === required[name]))`
  expect(await runConsumer('consumer.mjs', source)).toMatchObject({ code: 0, stdout: 'true\n' })
})

test('a test runner that has both builds in one process tells a refusal, a missing event and a taken folder by either', async () => {
  const { createSandbox, Refusal, Unreachable } = requireAsJestDoes()
  const other = (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof Library
  const data = await folder()
  const sandbox = await createSandbox({ data })
  const refused = await sandbox.client.messages.get('msg_none').catch((error: unknown) => error)
  expect([refused instanceof Refusal, refused instanceof other.Refusal, refused instanceof Unreachable]).toEqual([
    true,
    true,
    false,
  ])
  expect(await sandbox.waitFor('message.read').catch((error: unknown) => error)).toBeInstanceOf(other.EventMissing)
  await expect(other.createSandbox({ data })).rejects.toThrow('in use by process')
  await sandbox.stop()
})
