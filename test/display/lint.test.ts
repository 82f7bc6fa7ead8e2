import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'vitest'
import { type LintMessage, lint } from '../../src/display/lint.ts'
import { expect, test } from '../../src/runners/vitest.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { agents, channels, phone } from '../magic.ts'

const PREHEADER = '<div style="display:none">Your order 4711 is on its way</div>'
const good: LintMessage = {
  subject: 'Your order is on its way',
  content: { text: 'It is on its way.', html: `${PREHEADER}<p>It is on its way.</p><img src="a.png" alt="">` },
}

const rulesOf = (message: LintMessage) => lint(message).map(({ rule }) => rule)
const html = (html: string): LintMessage => ({ ...good, content: { text: 'x', html: PREHEADER + html } })
const newsletter = (rest: Partial<LintMessage>): LintMessage => ({ ...good, message_type: 'NEWSLETTER', ...rest })
const ONE_CLICK = {
  'List-Unsubscribe': '<https://shop.example/u/1>, <mailto:u@shop.example>',
  'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
}

describe('an email', () => {
  test('without a fault has no findings', () => {
    expect(lint(good)).toEqual([])
    expect(lint(newsletter({ headers: ONE_CLICK }))).toEqual([])
    expect(
      lint({ ...html('<a href="https://shop.example/abmelden">Abmelden</a>'), message_type: 'NEWSLETTER' }),
    ).toEqual([])
    expect(lint(html('<a href="https://www.shop.example/x">shop.example</a>'))).toEqual([])
    expect(
      lint(html('<meta name="color-scheme" content="light dark"><p style="color:#333;background:#fff">Hi</p>')),
    ).toEqual([])
  })

  const faults: [string, LintMessage, string, string][] = [
    ['no text part', { ...good, content: { html: good.content.html } }, 'email/text-part', 'add content.text'],
    ['no subject', { ...good, subject: '' }, 'email/subject', 'no subject'],
    ['a shouting subject', { ...good, subject: 'BUY NOW, CHEAP' }, 'email/subject', 'all capitals'],
    ['a long subject', { ...good, subject: 'x'.repeat(79) }, 'email/subject', 'has 79 characters'],
    ['no preheader', { ...good, content: { text: 'x', html: '<p>Hi</p>' } }, 'email/preheader', '"Hi"'],
    [
      'a newsletter without a way to unsubscribe',
      newsletter({}),
      'email/one-click-unsubscribe',
      'no https link to unsubscribe',
    ],
    [
      'no one-click header',
      newsletter({ headers: { ...ONE_CLICK, 'list-unsubscribe-post': 'x' } }),
      'email/one-click-unsubscribe',
      'List-Unsubscribe-Post',
    ],
    [
      'an unsubscription by mail',
      newsletter({ headers: { 'List-Unsubscribe': '<mailto:u@x.example>' } }),
      'email/one-click-unsubscribe',
      'https link',
    ],
    ['an image without alt', html('<img src="b.png">'), 'email/alt-text', '"b.png"'],
    ['a link to nowhere', html('<a href="#">Pay</a>'), 'email/link-target', '"Pay"'],
    ['an anchor without target', html('<a>Pay</a>'), 'email/link-target', 'leads nowhere'],
    [
      'a link with another host',
      html('<a href="https://evil.example/x">https://bank.example</a>'),
      'email/link-host',
      'shows bank.example and leads to evil.example',
    ],
    [
      'grey on white',
      html('<meta name="color-scheme" content="light dark"><p style="color:#999">Hi</p>'),
      'email/contrast',
      '2.8 to 1',
    ],
    ['a size that Gmail cuts', html(`<p>${'x'.repeat(103 * 1024)}</p>`), 'email/size', '104 KB'],
    [
      'colors without dark mode',
      html('<p style="color:#000;background-color:#fff">Hi</p>'),
      'email/dark-mode',
      'color-scheme',
    ],
  ]
  for (const [name, message, rule, words] of faults)
    test(`with a fault has one finding: ${name}`, () => {
      const findings = lint(message)
      expect(findings.map((finding) => finding.rule)).toEqual([rule])
      expect(findings[0]!.message).toContain(words)
    })
})

test('a message to a phone is checked for parts that phones drop', async ({ sandbox }) => {
  const chips = Array.from({ length: 3 }, (_, i) => ({ reply: { text: `Yes ${i}`, postback_data: 'eA==' } }))
  const title = 'A title that is too long for any phone '.repeat(5).trim()
  const card = {
    title,
    description: 'And a description. '.repeat(60),
    media: { height: 'TALL', url: 'https://x.example/a.png' },
    suggestions: chips,
  }
  const content = { rich_card: { standalone: { orientation: 'VERTICAL', content: card } } }
  expect(rulesOf({ content })).toContain('rcs/android-description-cut')
  await expect({ content: { text: 'Hi' } }).toPassLint()
  await expect(expect({ content: { txt: 'Hi' } }).toPassLint()).rejects.toThrow(
    'txt: unknown field, did you mean "text"?',
  )
  const rcs = { agent_id: agents.multi, to: phone(1), message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
  const { message_id } = await sandbox.client.messages.send({ ...rcs, content: { text: 'Hi' } })
  await expect(message_id).toPassLint()
  await expect({ content }).not.toPassLint()
})

test('toPassLint lists the findings of a sent email, and leaves out what is ignored', async ({ sandbox }) => {
  const sent = await sandbox.client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    content: { subject: 'Hello', html: '<p style="color:#999">Hi</p>' },
  })
  const ignore = ['email/text-part', 'email/preheader', 'email/dark-mode']
  await expect(expect(sent).toPassLint({ ignore })).rejects.toThrow(
    /toPassLint\(\):\n {2}email\/contrast: The text "Hi" has a contrast of 2\.8 to 1; it needs 4\.5\./,
  )
  await expect(sent).toPassLint({ ignore: [...ignore, 'email/contrast'] })
  await expect(expect(undefined).toPassLint()).rejects.toThrow('toPassLint() takes a message, its id, or a content')
  await expect(expect(sent).toPassLint({ ignor: [] } as object)).rejects.toThrow('did you mean "ignore"?')
})

test('sandbox lint passes a faultless HTML file, and names the rules that it cannot answer', async () => {
  const cwd = await folder()
  const files = { 'news.html': good.content.html!, 'news.txt': 'It is on its way.', 'blank.txt': ' ' }
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  const lintHtml = (...flags: string[]) => sandboxCommand(['lint', 'news.html', ...flags], { cwd })
  expect(await lintHtml()).toMatchObject({
    code: 0,
    stdout: '{"findings":[],"skipped":["email/subject","email/text-part"]}\n',
  })
  expect(await lintHtml('--subject', 'On its way', '--text', 'news.txt')).toMatchObject({
    code: 0,
    stdout: '{"findings":[],"skipped":[]}\n',
  })
  const faulty = await lintHtml('--subject', 'BUY NOW, CHEAP', '--text', 'blank.txt')
  expect(faulty.code).toBe(7)
  expect(faulty.stdout).toMatch(/email\/text-part.*email\/subject/)
  const misused = await sandboxCommand(['lint', 'order.json', '--subject', 'x'], { cwd })
  expect(misused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--subject and --text are for an HTML file'),
  })
})

test('sandbox lint reads files without a sandbox, messages and addresses, and writes reports', async ({ sandbox }) => {
  const cwd = await folder()
  const files = { 'good.json': JSON.stringify(good), 'my bad.html': '<a href="#">Pay</a>', 'empty.json': '{}' }
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  const offline = ['--base-url', 'http://127.0.0.1:9']
  expect(await sandboxCommand(['lint', 'good.json', ...offline], { cwd })).toMatchObject({
    code: 0,
    stdout: '{"findings":[],"skipped":[]}\n',
  })
  const reports = ['--sarif', 'lint.sarif', '--junit', 'lint.xml']
  const bad = await sandboxCommand(['lint', 'my bad.html', ...reports, ...offline], { cwd })
  expect(bad.code).toBe(7)
  const sarif = JSON.parse(await readFile(join(cwd, 'lint.sarif'), 'utf8'))
  expect(sarif.runs[0].results[0]).toMatchObject({
    ruleId: 'email/preheader',
    level: 'warning',
    locations: [{ physicalLocation: { artifactLocation: { uri: 'my%20bad.html' } } }],
  })
  expect(await readFile(join(cwd, 'lint.xml'), 'utf8')).toContain('<testcase name="email/link-target"')
  expect((await sandboxCommand(['lint', 'empty.json', ...offline], { cwd })).stderr).toContain('holds no content')
  await sandbox.client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    content: { subject: 'S', text: 'x' },
  })
  const target = ['--base-url', sandbox.url, '--api-key', sandbox.apiKey]
  expect(await sandboxCommand(['lint', 'ada@example.com', ...target], { cwd })).toMatchObject({ code: 0 })
  expect((await sandboxCommand(['lint', 'bea@example.com', ...target], { cwd })).stderr).toContain(
    'No message was sent to bea',
  )
})

test('a message is linted over HTTP, by its id or its content', async ({ sandbox }) => {
  const lintOf = (body: unknown) => ask(sandbox, 'POST', '/_sandbox/lint', { body })
  const content = { subject: 'Your order is on its way', html: '<p>It is on its way.</p><a href="#">Pay</a>' }
  const rules = ['email/text-part', 'email/preheader', 'email/link-target']
  const found = (await lintOf({ content })).json.findings as { rule: string; level: string }[]
  expect(found.map(({ rule }) => rule)).toEqual(rules)
  expect(found).toEqual(lint({ content }))
  const { message_id } = await sandbox.client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    content,
  })
  expect((await lintOf({ message_id })).json).toEqual({ findings: found })
  const news = { message_type: 'NEWSLETTER', subject: good.subject, content: good.content }
  expect((await lintOf({ ...news, headers: ONE_CLICK })).json).toEqual({ findings: [] })
  expect((await lintOf(news)).json.findings).toMatchObject([{ rule: 'email/one-click-unsubscribe' }])
  expect((await lintOf({ content: { txt: 'x' } })).status).toBe(400)
  expect((await lintOf({})).json.message).toContain('pass exactly one of message_id and content')
  expect((await lintOf({ message_id, subject: 'x' })).json.message).toContain('subject: is allowed only with content')
  expect((await lintOf({ message_id: 'msg_00000000-0000-4000-8000-00000000dead' })).status).toBe(404)
})

test('sandbox report writes the page and the world of a running sandbox', async ({ sandbox }) => {
  const cwd = await folder()
  await sandbox.client.messages.get('msg_none').catch(() => {})
  const target = ['--base-url', sandbox.url, '--api-key', sandbox.apiKey]
  const { code, stdout } = await sandboxCommand(['report', 'failed', '--title', 'an order', ...target], { cwd })
  const { page, snapshot, lines } = JSON.parse(stdout)
  expect([code, lines.length]).toEqual([0, 1])
  expect(page).toMatch(/^failed\/an-order(-\d+)?\.html$/)
  expect(await readFile(join(cwd, page), 'utf8')).toContain('Refused in this world: GET /v1/messages/msg_none')
  expect((await readFile(join(cwd, snapshot))).subarray(0, 15).toString()).toBe('SQLite format 3')
})
