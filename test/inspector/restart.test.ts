import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createClient } from '../../src/index.ts'
import { type EmulatorOptions, startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { folder as newFolder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { blankPage, look, story } from './browser.ts'

/** A sandbox or its records that end while a page shows them. */

const apiKey = 'sk_sandbox_default'

const [old, changed] = ['ct_of-the-first-start', 'ct_of-the-second-start']

/** Starts an emulator on a folder; it stops after the test. */
async function emulatorOn(folder: string, options: Partial<EmulatorOptions> = {}) {
  const emulator = await startEmulator({
    ...{ world: await loadWorldFile('default'), folder, port: 0, clock: { mode: 'frozen' }, onFault },
    ...options,
  })
  onTestFinished(() => emulator.stop())
  return emulator
}

story('a page keeps what it shows while the sandbox is down, and goes on when it is back', async () => {
  const folder = await newFolder()
  const first = await emulatorOn(folder)
  const port = Number(new URL(first.url).port)
  const client = createClient({ baseUrl: first.url, apiKey })
  await client.messages.send({ ...rcsText, to: phones.readsAll, content: { text: 'Before' } })
  await using inspector = await look({ url: first.url, apiKey }, { mayBeDown: true })
  const { page } = inspector
  await inspector.to('messages')
  await page.getByRole('listitem').filter({ hasText: 'Before' }).waitFor()
  await first.stop()
  await page.getByText('No answer', { exact: true }).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Before' }).count()).toBe(1)
  await inspector.to('compose')
  await page.getByLabel('Text', { exact: true }).fill('After')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'The sandbox did not answer.' })
  await refusal.waitFor()
  await emulatorOn(folder, { port })
  await page.getByLabel('Agent').getByRole('option', { name: 'Sandbox Demo' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Sent as' }).waitFor()
  expect(await refusal.count()).toBe(0)
  await inspector.to('messages')
  await page.getByRole('listitem').filter({ hasText: 'After' }).waitFor()
})

story('a page reports a sandbox that is silent without an end, and goes on when it answers', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text: 'Before' } })
  await using behind = await pageBehindProxy(sandbox, 'messages')
  const { page, between } = behind
  await page.getByText('Before').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  between.stall()
  await page.getByRole('link', { name: 'Campaigns' }).click()
  await page.getByText('Loading…').waitFor()
  await page.clock.fastForward(16_000)
  await page.getByText('No answer', { exact: true }).waitFor()
  await page.getByText('Waiting for the sandbox…').waitFor()
  await page.getByRole('link', { name: 'Messages' }).click()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text: 'Meanwhile' } })
  between.flow()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Meanwhile').waitFor()
})

story('an action without an answer ends as unknown, and its repetition takes effect once', async () => {
  await using sandbox = await createSandbox()
  await using behind = await pageBehindProxy(sandbox, 'compose')
  const { page, between } = behind
  await page.getByLabel('To').fill(phones.readsAll)
  await page.getByLabel('Text', { exact: true }).fill('Once')
  await page.getByText('The service would accept this').waitFor()
  const sent = async () => (await sandbox.client.messages.search()).total
  const press = () => page.getByRole('button', { name: 'Send', exact: true }).click()
  between.mute()
  await press()
  await expect.poll(sent).toBe(1)
  await page.clock.fastForward(16_000)
  await page.getByRole('alert').filter({ hasText: 'The action may or may not have taken effect' }).waitFor()
  await page.getByLabel('TTL').fill('ten')
  between.flow()
  await page.getByText('Live', { exact: true }).waitFor()
  // A forecast that was asked for on the dead connection is asked for again.
  await page.getByText('Correct the marked fields').waitFor()
  await page.getByLabel('TTL').fill('')
  await press()
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Sent as' }).waitFor()
  expect(await sent()).toBe(1)
})

story('an advance of the clock whose answer was lost is not repeated', async () => {
  await using sandbox = await createSandbox()
  await using behind = await pageBehindProxy(sandbox, 'time')
  const { page, between } = behind
  const now = async () => (await sandbox.client.clock.show()).now
  const hourLater = new Date(Date.parse(await now()) + 3_600_000).toISOString()
  const advance = page.getByRole('button', { name: '+1h' })
  await advance.waitFor()
  between.mute()
  await advance.click()
  await expect.poll(now).toBe(hourLater)
  await page.clock.fastForward(16_000)
  await page.getByRole('alert').filter({ hasText: 'may or may not have taken effect' }).waitFor()
  between.flow()
  await page.getByText('Live', { exact: true }).waitFor()
  await advance.click()
  await page.getByText('The first attempt did this; nothing was repeated.').waitFor()
  expect(await now()).toBe(hourLater)
  await advance.click()
  await expect.poll(now).not.toBe(hourLater)
})

/** A place of the inspector whose connections a proxy can stall. Its clock moves only when the test moves it. */
async function pageBehindProxy({ url, apiKey }: Sandbox, place: string) {
  const between = await stallingProxy(Number(new URL(url).port))
  const blank = await blankPage()
  await blank.page.clock.install()
  await blank.page.goto(`http://localhost:${between.port}/#/${apiKey.replace('sk_sandbox_', '')}/${place}`)
  return { ...blank, between }
}

/** Forwards connections to a port of this machine; one that has stalled never passes a byte again, and does not end. */
async function stallingProxy(to: number) {
  const sockets = new Set<Socket>()
  const answering = new Set<Socket>()
  let isStalled = false
  let isMute = false
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => other.write(bytes))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (isStalled || (isMute && one === far)) one.pause()
    }
    answering.add(far)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: new URL(await urlOf(server)).port,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    /** Passes requests, and no answers. */
    mute() {
      isMute = true
      for (const socket of answering) socket.pause()
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Passes new connections only. */
    flow() {
      isStalled = isMute = isCut = false
    },
  }
}

story('a tab that leaves the stream of events to another one still has an answer', async () => {
  await using sandbox = await createSandbox()
  const between = await stallingProxy(Number(new URL(sandbox.url).port))
  const { apiKey } = sandbox
  await using inspector = await look({ url: `http://localhost:${between.port}`, apiKey }, { mayBeDown: true })
  await inspector.to('messages')
  const { page } = inspector
  const live = (one: typeof page) => one.getByText('Live', { exact: true }).waitFor()
  await live(page)
  await page.evaluate(() => {
    const watched = window as Window & { states?: Set<string | null> }
    watched.states = new Set()
    const state = document.querySelector('.top [role="status"]')!
    new MutationObserver(() => watched.states!.add(state.textContent)).observe(state, {
      ...{ subtree: true, childList: true, characterData: true },
    })
  })
  const other = await page.context().newPage()
  onTestFinished(() => other.close())
  await other.goto(page.url())
  await live(other)
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text: 'To both' } })
  for (const one of [page, other]) await one.getByText('To both').waitFor()
  await live(page)
  expect(await page.evaluate(() => [...(window as Window & { states?: Set<string> }).states!])).toEqual([])
  // Of two tabs, one polls: both read again after an outage, although no event came.
  between.cut()
  for (const one of [page, other]) {
    await one.getByText('No answer', { exact: true }).waitFor()
    await one.getByRole('link', { name: 'Contacts' }).click()
    await one.getByText('Waiting for the sandbox…').first().waitFor()
    await one.getByRole('link', { name: 'Messages' }).click()
    await one.getByText('The sandbox does not answer.').waitFor()
  }
  between.flow()
  for (const one of [page, other]) {
    await one.getByText('To both').waitFor()
    await one.getByText('The sandbox does not answer.').waitFor({ state: 'detached' })
  }
})

story('a message that a reset has removed is not shown any more', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await using inspector = await look(sandbox, { mayBeRefused: true })
  await inspector.to(`messages/${message_id}`)
  const { page } = inspector
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  await sandbox.client.world.reset({ scope: 'messages' })
  await page.getByRole('alert').filter({ hasText: message_id }).waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' })
  await inspector.to(`messages?selected=${message_id}`)
  await page.getByRole('link', { name: '✕ Close' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

story(
  'a sandbox that starts again with another control token asks for it, and nothing that was typed is lost',
  async () => {
    const folder = await newFolder()
    const first = await emulatorOn(folder, { host: '0.0.0.0', controlToken: old })
    const url = `http://127.0.0.1:${first.port}`
    await using inspector = await look({ url, apiKey }, { mayBeRefused: true, mayBeDown: true })
    const { page } = inspector
    await page.goto(`${url}/#/default/compose?token=${old}`)
    await page.getByLabel('Text', { exact: true }).fill('Not sent yet')
    await page.getByText('The service would accept this').waitFor()
    await first.stop()
    await emulatorOn(folder, { host: '0.0.0.0', controlToken: changed, port: first.port })
    await page.getByRole('alert').filter({ hasText: 'The sandbox refused this token.' }).waitFor()
    await page.getByLabel('Control token').fill(changed)
    await page.getByRole('button', { name: 'Use this token' }).click()
    await page.getByText('The service would accept this').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('Not sent yet')
  },
)

function onFault(error: unknown) {
  throw error
}
