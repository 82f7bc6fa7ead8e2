import { expect, test } from 'vitest'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

interface Page {
  ids: string[]
  next_cursor: string | null
  has_more: boolean
}

/** Every list with pages: how an item is added, and how a page is read (interface §4.7). */
const lists: readonly {
  what: string
  add: (sandbox: Sandbox, n: number) => Promise<unknown>
  page: (sandbox: Sandbox, query: { limit: number; cursor?: string | undefined }) => Promise<Page>
}[] = [
  {
    what: 'messages',
    add: ({ client }, n) => client.messages.send({ ...rcsText, to: phone(50 + (n % 50)) }),
    page: async ({ client }, query) => {
      const { messages, ...rest } = await client.messages.list(query)
      return { ids: messages.map(({ id }) => id), ...rest }
    },
  },
  {
    what: 'webhook endpoints',
    add: ({ client }, n) => client.webhooks.create({ url: `http://localhost:9/${n}`, events: ['message.*'] }),
    page: async ({ client }, query) => pageOf(await client.webhooks.list(query)),
  },
  {
    what: 'transactions',
    add: async ({ client, clock }, n) => {
      await client.messages.send({ ...rcsText, to: phones.neverReads })
      if (n % 2 === 0) await clock.advance('10s')
    },
    page: async ({ client }, query) => pageOf(await client.billing.transactions(query)),
  },
  {
    what: 'invoices',
    add: async ({ client, clock }) => {
      await client.messages.send({ ...rcsText, to: phones.neverReads })
      await clock.advance('31d')
    },
    page: async ({ client }, query) => pageOf(await client.billing.invoices(query)),
  },
]

const pageOf = ({
  data,
  ...rest
}: {
  data: { id: string }[]
  next_cursor: string | null
  has_more: boolean
}): Page => ({
  ids: data.map(({ id }) => id),
  ...rest,
})

test.each(lists)(
  '$what are read page by page while more come: nothing is skipped or repeated',
  async ({ add, page }) => {
    await using sandbox = await createSandbox()
    for (let n = 0; n < 9; n++) await add(sandbox, n)
    const all = (await page(sandbox, { limit: 200 })).ids
    const seen: string[] = []
    let cursor: string | undefined
    for (let n = 9; ; n++) {
      const { ids, next_cursor, has_more } = await page(sandbox, { limit: 2, cursor })
      seen.push(...ids)
      expect(has_more).toBe(next_cursor !== null)
      if (next_cursor === null) break
      cursor = next_cursor
      await add(sandbox, n)
    }
    expect(seen).toEqual(all)
    expect(all.length).toBeGreaterThanOrEqual(9)
    expect((await page(sandbox, { limit: 200 })).ids.slice(-all.length)).toEqual(all)
  },
)

test.each(lists)('$what that are read during concurrent writes appear once each', async ({ add, page }) => {
  await using sandbox = await createSandbox()
  for (let n = 0; n < 8; n++) await add(sandbox, n)
  const before = (await page(sandbox, { limit: 200 })).ids
  const read = async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { ids, next_cursor } = await page(sandbox, { limit: 1, cursor })
      seen.push(...ids)
      cursor = next_cursor ?? undefined
    } while (cursor)
    return seen
  }
  const write = async () => {
    for (let n = 8; n < 14; n++) await add(sandbox, n)
  }
  const [seen] = await Promise.all([read(), write()])
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.slice(-before.length)).toEqual(before)
})

test('only an endpoint removed during paging is missing from the list', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (let n = 0; n < 6; n++) await client.webhooks.create({ url: `http://localhost:9/${n}`, events: ['*'] })
  const all = (await client.webhooks.list()).data.map(({ id }) => id)
  const first = await client.webhooks.list({ limit: 2 })
  // The row at the cursor, one that was shown, and one that was not.
  for (const gone of [all[1]!, all[0]!, all[3]!]) await client.webhooks.delete(gone)
  const rest = await client.webhooks.list({ limit: 10, cursor: first.next_cursor! })
  expect(rest.data.map(({ id }) => id)).toEqual([all[2], all[4], all[5]])
})
