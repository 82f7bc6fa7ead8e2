import { join, resolve } from 'node:path'
import { createClient } from '../../../client/client.ts'
import { saveEvidence } from '../../../evidence/save.ts'
import { makePrivateFolder } from '../../../world/storage/private.ts'
import type { Output } from '../../output/output.ts'
import { writeWhole } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'

/** Names both files of a namespace: `world.html`, `world.snapshot`. */
const NAME = 'world'

/** Saves what explains a failed command: for each namespace a folder with a page, the world, events, requests and deliveries. */
export async function saveBundle(
  io: Io,
  output: Output,
  baseUrl: string,
  folder: string,
  failed: { title: string; error: string },
) {
  const { namespaces } = await createClient({ baseUrl }).namespaces.list()
  for (const { name: namespace } of namespaces) {
    const place = resolve(io.cwd, folder, namespace)
    makePrivateFolder(place)
    const client = createClient({ baseUrl, apiKey: `sk_sandbox_${namespace}`, isObserver: true })
    const { gathered } = await saveEvidence(client, { ...failed, folder: place, name: NAME })
    const { events, requests, deliveries } = gathered
    const files = { 'events.jsonl': events, 'requests.jsonl': requests, 'deliveries.jsonl': deliveries }
    for (const [file, items] of Object.entries(files))
      await writeWhole(io, join(place, file), jsonLines(items), { force: true })
  }
  const page = join(folder, 'default', `${NAME}.html`)
  const message = `What happened is on ${page}; beside it lie the world, its events, requests and deliveries.`
  const hint = `sandbox start --memory --snapshot ${join(folder, 'default', `${NAME}.snapshot`)}`
  output.warn(
    { type: 'saved', folder, page, message, hint },
    (paint) => `${message}\n${paint.dim(`  ${output.withProgramName(hint)}`)}`,
  )
}

const jsonLines = (items: readonly unknown[]) => Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
