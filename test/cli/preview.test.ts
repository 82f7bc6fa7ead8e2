import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedBrowser } from '../../src/cli/commands/preview/picture.ts'
import { folder } from '../folder.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const media = { url: 'https://example.com/van.gif', height: 'MEDIUM' }
const suggestions = ['One', 'Two', 'Three'].map((text) => ({ reply: { text, postback_data: 'YQ==' } }))
const CARD = {
  rich_card: {
    standalone: { orientation: 'VERTICAL', content: { title: 'Title', description: 'Text', media, suggestions } },
  },
}

async function fileOf(content: object): Promise<string> {
  const file = join(await folder(), 'content.json')
  await writeFile(file, JSON.stringify(content))
  return file
}

test('a file is shown as a phone would show it, with what it leaves out', async () => {
  const { code, stdout } = await sandboxCommand(['preview', await fileOf(CARD)], { tty: true })
  expect(code).toBe(0)
  expect(stdout).toContain('Android\n┌ card, 300 × 332 dp\n│ gif, 300 × 168 dp: https://example.com/van.gif\n│ Title')
  expect(stdout).toContain('[ One ] [ Two ]')
  expect(stdout).toContain('not shown: [ Three ]')
  expect(stdout).toContain('android-suggestion-dropped  card, suggestion 3')
})

test('a whole send request is taken for its content, and programs get JSON', async () => {
  const file = await fileOf({ to: '+491713920000', content: CARD })
  const { json } = await sandboxCommand(['preview', file, '--as', 'ios'])
  expect(json).toMatchObject({ profile: 'ios', layout: { cards: [{ widthDp: 300 }] } })
  expect(json.findings).toContainEqual(
    expect.objectContaining({ code: 'ios-gif-still', weight: 'changes', source: expect.stringContaining('iOS 26.2') }),
  )
})

test('lint checks both platforms, and fails if one of them drops something', async () => {
  const bad = await sandboxCommand(['preview', await fileOf(CARD), '--lint'])
  expect(bad.code).toBe(7)
  expect(new Set((bad.json.findings as { profile: string }[]).map(({ profile }) => profile))).toEqual(
    new Set(['android', 'ios']),
  )
  expect(await sandboxCommand(['preview', await fileOf({ text: 'Hello' }), '--lint'])).toMatchObject({
    code: 0,
    json: { findings: [] },
  })
  expect(await sandboxCommand(['preview', await fileOf(CARD), '--lint', '--as', 'ios'])).toMatchObject({ code: 0 })
})

test('a message that was sent is shown by its id, or as the last one', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const { message_id } = await sandbox.client.messages.send({
    agent_id: agents.multi,
    to: '+491713920000',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Hello there' },
  })
  for (const what of [message_id, 'last'])
    expect(await sandboxCommand(['preview', what], { env })).toMatchObject({
      code: 0,
      json: { layout: { text: { text: 'Hello there' } }, findings: [] },
    })
})

test.each([
  [{ text: 5 }, 3, 'text'],
  [{ txt: 'Hello' }, 3, 'txt'],
  [{ subject: 'Hello', html: '<p>' }, 2, 'text or rich_card'],
  [{ text: 'a', rich_card: CARD.rich_card }, 2, 'text or rich_card'],
])('content that no phone can show is refused: %j', async (content, code, says) => {
  const got = await sandboxCommand(['preview', await fileOf(content)])
  expect(got).toMatchObject({ code, stdout: '' })
  expect(got.stderr).toContain(says)
})

test('a picture without a browser is refused with a hint to install one, and nothing is written', async () => {
  const file = await fileOf(CARD)
  const picture = join(await folder(), 'card.png')
  const got = await sandboxCommand(['preview', file, '--png', picture], { env: { PATH: '/nowhere' } })
  expect(got).toMatchObject({ code: 3, error: { error: 'no_browser', hint: expect.stringContaining('chromium') } })
  await expect(readFile(picture)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a picture that exists is refused before a browser is looked for', async () => {
  const file = await fileOf(CARD)
  const again = await sandboxCommand(['preview', file, '--png', file], { env: { PATH: '/nowhere' } })
  expect(again).toMatchObject({ code: 2, error: { message: `${file} already exists.` } })
})

test.skipIf(!installedBrowser(process.env))(
  'a picture of the phone is written, and a file is replaced only with --force',
  async () => {
    const picture = join(await folder(), 'card.png')
    const ask = [...['preview', await fileOf(CARD), '--as', 'ios'], '--png', picture]
    expect(await sandboxCommand(ask)).toMatchObject({ code: 0 })
    const bytes = await readFile(picture)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([784, 1424])
    expect(await sandboxCommand(ask)).toMatchObject({ code: 2 })
    expect(await readFile(picture)).toEqual(bytes)
  },
)
