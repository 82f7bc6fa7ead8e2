import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { saveEvidence } from '../../src/evidence/save.ts'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { blankPage, story, violationsOn } from './browser.ts'

story('the evidence page of a failed test opens from disk, can be filtered, and runs no foreign code', async () => {
  await using sandbox = await createSandbox()
  const trick = '</script><img src=x onerror="document.title = \'owned\'">'
  const { message_id } = await sandbox.client.messages.send({
    ...rcsText,
    to: phones.readsAll,
    content: { text: trick },
  })
  await sandbox.client.messages.send({ ...rcsText, to: '12' }).catch(() => {})
  await sandbox.clock.advance('1h')
  const { html } = await saveEvidence(sandbox.client, {
    folder: await folder(),
    name: 'an-order',
    title: 'An order',
    error: trick,
  })
  await using blank = await blankPage({ colorScheme: 'dark' })
  const { page } = blank
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(pathToFileURL(html).href)
  const rows = page.locator('.timeline').getByRole('listitem')
  await rows.first().waitFor()
  const all = await rows.count()
  expect(await violationsOn(page)).toEqual([])
  await page.getByLabel('Message').selectOption(message_id)
  await expect.poll(() => rows.count()).toBeLessThan(all)
  await rows.first().click()
  await page.getByText(trick.slice(10, 30)).last().waitFor()
  await page.getByLabel('Message').selectOption('')
  await page.getByLabel('only what went wrong').check()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByText('must be a phone number').first().waitFor()
  expect(await page.title()).toBe('An order')
  expect(requests).toEqual([pathToFileURL(html).href])
})
