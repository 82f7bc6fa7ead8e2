import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { readPage, shellBlocks } from '../page.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { commandsIn } from './commands.ts'

const page = await readPage('docs/listen.md')
const commands = await commandsIn(shellBlocks(page).join('\n'))

test('every line of docs/listen.md runs as written, and what follows says that it is ready', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const cwd = await folder()
  expect(commands.length).toBeGreaterThan(10)
  for (const words of commands) {
    // The server of this test replaces those of the page.
    const argv = words.map((word) => word.replace(/(^|localhost:|=)300[01]\//, `$1${port}/`).replace(/^7271$/, '0'))
    const follows = words[0] === 'listen' && !words.includes('--print-secret') && !words.includes('--prune')
    const ended = await sandboxCommand([...argv, '--base-url', sandbox.url], {
      ...{ cwd, env: { XDG_CONFIG_HOME: cwd } },
      onOutput: (text, stop) => void (text.includes('"ready"') && stop('SIGINT')),
    })
    const { code, stderr } = ended
    // At a service, listen reports its changes on stderr.
    const remarks = words.includes('--public-url') ? expect.stringContaining('"unregistered"') : ''
    expect({ line: words.join(' '), code, stderr }).toEqual({ line: words.join(' '), code: 0, stderr: remarks })
    const types = follows ? ended.lines.map(({ type }) => type) : []
    if (follows) expect([types[0], types.at(-1)]).toEqual(['ready', 'stopped'])
  }
})

test('the lines for programs on docs/listen.md have the fields that listen writes', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.contacts.create({ email: 'eve@example.com' })
  const argv = ['listen', '--forward-to', receiver.url, '--since', 'start', '--base-url', sandbox.url]
  const got = await sandboxCommand(argv, {
    onOutput: (text, stop) => void (text.includes('"event"') && stop('SIGINT')),
  })
  const shown = /```json\n([\s\S]*?)```/.exec(page)![1]!.trim().split('\n')
  for (const [i, line] of shown.entries())
    expect(Object.keys(got.lines[i]!)).toEqual(expect.arrayContaining(Object.keys(JSON.parse(line))))
})
