import { join, resolve } from 'node:path'
import { type Client, createClient } from '../../../client/client.ts'
import { makePrivateFolder } from '../../../world/storage/private.ts'
import type { Output } from '../../output/output.ts'
import { writeWhole } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'

const SNAPSHOT = 'failed'
const PAGE = 1000

/** Saves what explains a failed command: for each namespace a folder with world, events, requests and deliveries. */
export async function saveBundle(io: Io, output: Output, baseUrl: string, folder: string) {
  const { namespaces } = await createClient({ baseUrl }).namespaces.list()
  for (const { name } of namespaces) {
    const place = resolve(io.cwd, folder, name)
    makePrivateFolder(place)
    const client = createClient({ baseUrl, apiKey: `sk_sandbox_${name}` })
    for (const [file, content] of Object.entries(await contentsOf(client, name)))
      await writeWhole(io, join(place, file), content, { force: true })
  }
  const message = `The world, its events, requests and deliveries are in ${folder}.`
  const hint = `sandbox snapshots import ${join(folder, 'default', 'world.snapshot')}`
  output.warn(
    { type: 'saved', folder, message, hint },
    (paint) => `${message}\n${paint.dim(`  ${output.withProgramName(hint)}`)}`,
  )
}

async function contentsOf(client: Client, namespace: string): Promise<Record<string, Uint8Array>> {
  const { name } = await client.snapshots.save({ name: `${SNAPSHOT}-${namespace}` })
  return {
    'world.snapshot': await client.snapshots.export(name),
    'events.jsonl': lines(
      await all(
        (after) => client.events.list({ after, limit: PAGE }),
        ({ events }) => events,
      ),
    ),
    'requests.jsonl': lines(
      await all(
        (after) => client.logs.list({ after, limit: PAGE, full: 'true' }),
        ({ requests }) => requests,
      ),
    ),
    'deliveries.json': Buffer.from(
      `${JSON.stringify((await client.events.deliveries({ limit: 200 })).data, null, 2)}\n`,
    ),
  }
}

/** Reads a log from its first position to its end. */
async function all<Page extends { has_more: boolean }, Item extends { seq: number }>(
  read: (after: number) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    const page = await read(found.at(-1)?.seq ?? 0)
    found.push(...itemsOf(page))
    if (!page.has_more || itemsOf(page).length === 0) return found
  }
}

const lines = (items: readonly unknown[]) => Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
