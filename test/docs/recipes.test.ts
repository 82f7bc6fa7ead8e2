import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { readPage } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const page = await readPage('docs/recipes.md')
const lines = page.split('\n').filter((line) => /^\| .*`sandbox /.test(line))
const recipes = lines.map((line) => [...line.matchAll(/`sandbox ([^`]+)`/g)].map(([, command]) => command!))

/** They start or end processes, follow a stream, or need another server. */
const NOT_ALONE = /^(start|stop|exec|open|listen --forward|events tail|logs --follow|verify-handler|drift|doctor)/

const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

test('every recipe runs as written, one after the other', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const options = { cwd: await folder(), env: { SANDBOX_BASE_URL: sandbox.url } }
  expect(recipes.length).toBeGreaterThan(40)
  for (const command of recipes.flat()) {
    const words = wordsOf(command)
    const argv = NOT_ALONE.test(command) ? ['help', words[0]!] : words
    const { code, stderr } = await sandboxCommand(argv, options)
    expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' })
  }
})
