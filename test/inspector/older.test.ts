import { expect } from 'vitest'
import { AGENT, MAIL, PHONE, U } from '../../scripts/screenshots/shop-day.ts'
import { createSandbox } from '../sandbox.ts'
import { look, story } from './browser.ts'

const rcs = { agent_id: AGENT, to: PHONE, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const

story('every list shows its total and loads what is older', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (let i = 1; i <= 60; i++)
    await client.messages.send({
      channel_id: `ch_${U(1)}`,
      to: MAIL,
      subject: `Email ${i}`,
      content: { text: 'Hello' },
    })
  for (let i = 1; i <= 205; i++) await client.messages.send({ ...rcs, content: { text: `Text ${i}.` } })
  await using inspector = await look(sandbox, { mayBeRefused: true })
  const { page } = inspector
  await inspector.to(`handsets/${PHONE}`)
  await page.getByRole('link', { name: '205 messages on the way' }).first().waitFor()
  // None of them is an older message of the phone.
  expect(await page.getByRole('button', { name: /Load older/ }).count()).toBe(0)
  const continued: string[] = []
  page.on('request', (request) => request.url().includes('cursor=') && continued.push(request.url()))
  await inspector.to('billing')
  await page.getByText(/^Older messages hold €/).waitFor()
  // The newest page of the ledger has more open holds than are listed.
  expect(continued).toEqual([])
  await client.clock.advance({ by: '1h' })
  const more = () => page.getByRole('button', { name: 'Load older' }).first().click()

  await inspector.to(`mailboxes/${MAIL}`)
  await page.getByText('50 of 60 emails').waitFor()
  expect(await page.getByText('Email 1', { exact: true }).count()).toBe(0)
  await page.route(/[?&]offset=50/, (route) =>
    route.fulfill({ status: 422, json: { error: 'validation_error', message: 'No more.' } }),
  )
  await more()
  await page.getByRole('alert').getByText('No more.').waitFor()
  await page.unroute(/[?&]offset=50/)
  await more()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByText('60 emails', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^Email 2 / }).focus()
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: 'Email 1', exact: true }).waitFor()
  // It has no HTML part.
  expect(await page.getByRole('group', { name: 'View' }).getByRole('button').allTextContents()).toEqual([
    'Text',
    'Source',
  ])
  expect(await page.getByRole('button', { name: 'Text', pressed: true }).count()).toBe(1)
  expect(await page.locator('.letters [tabindex="0"]').allTextContents()).toEqual([expect.stringMatching(/^Email 1\D/)])

  await inspector.to(`handsets/${PHONE}`)
  await page.getByText('Text 205.').first().waitFor()
  expect(await page.getByText('Text 1.', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Load older (5)' }).first().click()
  await page.getByText('Text 1.', { exact: true }).first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Load older/ }).count()).toBe(0)
  const thread = page.getByRole('log').first()
  await thread.evaluate((element) => element.scrollTo(0, 0))
  await client.messages.send({ ...rcs, content: { text: 'One more.' } })
  await client.clock.advance({ by: '1h' })
  await thread.getByText('One more.').waitFor()
  // A reader of older messages stays there.
  expect(await thread.evaluate((element) => element.scrollTop)).toBe(0)

  const { total } = await client.events.list({ event: 'message.queued', count: 'true' })
  expect(total).toBe(266)
  await inspector.to('events?event=message.queued')
  await page.getByText('100 of 266 events').waitFor()
  await more()
  await page.getByText('200 of 266 events').waitFor()

  await inspector.to('billing')
  await page.getByText(/^100 of \d+ movements$/).waitFor()

  for (let i = 1; i <= 60; i++) await client.contacts.create({ email: `user${i}@example.com`, first_name: `User ${i}` })
  await inspector.to('contacts')
  await page.getByText(/^50 of \d+ contacts$/).waitFor()
  await more()
  const contact = (name: string) => page.getByRole('link', { name, exact: true })
  await contact('User 1').waitFor()
  const { contacts } = await client.contacts.list({ text: 'User', limit: 60 })
  const idOf = (name: string) => contacts.find(({ first_name }) => first_name === name)!.id
  await client.contacts.update(idOf('User 1'), { first_name: 'Renamed' })
  await client.contacts.delete(idOf('User 60'))
  // Rows that were loaded with the button are as current as the others.
  await contact('Renamed').waitFor()
  await contact('User 60').waitFor({ state: 'detached' })

  await client.snapshots.save({ name: 'before' })
  for (let i = 61; i <= 80; i++) await client.contacts.create({ email: `user${i}@example.com` })
  await inspector.to('events')
  await page.getByText(/^100 of \d+ events$/).waitFor()
  await more()
  await page.getByText(/^200 of \d+ events$/).waitFor()
  const newest = (await client.events.list({ order: 'newest', limit: 1 })).last_seq
  await client.snapshots.restore('before')
  await page.getByRole('row', { name: new RegExp(`^${newest} `) }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: new RegExp(`^${newest - 20} `) }).waitFor()
})
