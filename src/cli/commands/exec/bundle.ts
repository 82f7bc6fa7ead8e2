import { join, relative, resolve } from 'node:path'
import { type Client, createClient } from '../../../client/client.ts'
import { allItems, logAfter } from '../../../client/pages.ts'
import { addToSummary, errorCommand } from '../../../evidence/github.ts'
import { saveEvidence } from '../../../evidence/save.ts'
import type { Output } from '../../output/output.ts'
import { printable } from '../../output/printable.ts'
import { makeFolder, writeWhole } from '../../process/files.ts'
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
  const trouble: string[] = []
  const { namespaces } = await createClient({ baseUrl }).namespaces.list()
  for (const { name: namespace } of namespaces) {
    const place = resolve(io.cwd, folder, namespace)
    makeFolder(io, place)
    const client = createClient({ baseUrl, apiKey: `sk_sandbox_${namespace}`, isObserver: true })
    const { html } = await saveEvidence(client, { ...failed, folder: place, name: NAME })
    const { lines } = await client.evidence.show()
    trouble.push(...lines)
    await addToSummary({ title: `${failed.title} (${namespace})`, lines, page: relative(io.cwd, html) }, io.env)
    for (const [file, items] of Object.entries(await logsOf(client)))
      await writeWhole(io, join(place, file), jsonLines(items), { force: true })
  }
  const page = join(folder, 'default', `${NAME}.html`)
  const message = `See the report ${page}. Its folder also holds the world, its events, requests and deliveries.`
  const hint = `sandbox start --memory --snapshot ${join(folder, 'default', `${NAME}.snapshot`)}`
  output.warn({ type: 'saved', folder, page, message, hint, trouble }, (paint) =>
    [...trouble.map(printable), message, paint.dim(`  ${output.withProgramName(hint)}`)].join('\n'),
  )
  // GitHub reads this line anywhere in the log.
  if (io.env.GITHUB_ACTIONS === 'true')
    io.stderr.write(
      `${errorCommand({ title: failed.title, message: [failed.error, ...trouble, message].join('\n') })}\n`,
    )
}

async function logsOf({ logs, events }: Client): Promise<Record<string, readonly unknown[]>> {
  return {
    'requests.jsonl': await Array.fromAsync(
      logAfter(
        0,
        (query) => logs.list({ ...query, full: 'true' }),
        (page) => page.requests,
      ),
    ),
    'events.jsonl': await Array.fromAsync(logAfter(0, events.list, (page) => page.events)),
    'deliveries.jsonl': await allItems(events.deliveries, (page) => page.data),
  }
}

const jsonLines = (items: readonly unknown[]) => Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
