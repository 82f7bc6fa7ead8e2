import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { engines } from './engines.ts'

const RCS = {
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
} as const

/** More windows than a browser has connections to a server. */
const WINDOWS = 8

/** The email in the frame of the page of a message. */
const MAIL_TEXT = `(() => {
  const frame = (page) => page?.querySelector('iframe')?.contentDocument
  return frame(frame(document))?.body?.innerText ?? ''
})()`

// A minute for two browsers: npm run test:engines
for (const { name, isInstalled, start } of engines)
  test.skipIf(!isInstalled || !process.env.SANDBOX_ENGINES)(
    `in ${name} a new message appears without a reload, also with ${WINDOWS} windows, and its page is complete`,
    async () => {
      await using sandbox = await createSandbox()
      const say = async (text: string) =>
        (await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text } })).message_id
      await say('Before')
      const { message_id: mail } = await sandbox.client.messages.send({
        channel_id: 'ch_00000000-0000-4000-8000-000000000001',
        to: 'ada@example.com',
        subject: 'Your order',
        content: { html: '<h1>Thank you, Ada</h1>' },
      })
      await using engine = await start()
      const namespace = sandbox.apiKey.replace('sk_sandbox_', '')
      const text = () => engine.evaluate<string>('document.body.innerText')
      await engine.open(`${sandbox.url}/#/${namespace}/messages`)
      await expect.poll(text, { timeout: 20_000 }).toContain('Before')
      await expect.poll(text).toContain('Live')
      const id = await say('Your parcel arrives today.')
      await expect.poll(text, { timeout: 5_000 }).toContain('Your parcel arrives today.')
      for (let i = 1; i < WINDOWS; i++) await engine.openBeside(`${sandbox.url}/#/${namespace}/time`)
      await say('With many windows')
      await expect.poll(text, { timeout: 10_000 }).toContain('With many windows')
      await sandbox.client.clock.advance({ by: '1h' })
      await engine.evaluate(`location.hash = '#/${namespace}/messages/${id}'`)
      await expect.poll(text, { timeout: 10_000 }).toContain('was GRANTED')
      await expect.poll(text).toMatch(/Android[\s\S]*iOS/)
      expect(await engine.evaluate<string>('document.title')).toContain('read')
      await engine.evaluate(`location.hash = '#/${namespace}/messages/${mail}'`)
      await expect.poll(() => engine.evaluate<string>(MAIL_TEXT), { timeout: 10_000 }).toContain('Thank you, Ada')
    },
    120_000,
  )
