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
  const worlds: SavedWorld[] = []
  const { namespaces } = await createClient({ baseUrl }).namespaces.list()
  for (const { name: namespace } of namespaces) {
    const place = resolve(io.cwd, folder, namespace)
    makeFolder(io, place)
    const client = createClient({ baseUrl, apiKey: `sk_sandbox_${namespace}`, isObserver: true })
    const { html } = await saveEvidence(client, { ...failed, folder: place, name: NAME })
    const { lines } = await client.evidence.show()
    const logs = await logsOf(client)
    worlds.push({ namespace, lines, isUsed: Object.values(logs).some((items) => items.length > 0) })
    await addToSummary({ title: `${failed.title} (${namespace})`, lines, page: relative(io.cwd, html) }, io.env)
    for (const [file, items] of Object.entries(logs))
      await writeWhole(io, join(place, file), jsonLines(items), { force: true })
  }
  const trouble = worlds.flatMap(({ lines }) => lines)
  const shown = worthReading(worlds)
  const pages = shown.map(({ namespace }) => join(folder, namespace, `${NAME}.html`))
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more in ${folder}` : ''
  const message = `See the report ${pages.slice(0, MOST_NAMED).join(', ')}${more}. Its folder also holds the world, its events, requests and deliveries.`
  const hint = `sandbox start --memory --snapshot ${join(folder, shown[0]!.namespace, `${NAME}.snapshot`)}`
  output.warn({ type: 'saved', folder, page: pages[0], pages, message, hint, trouble }, (paint) =>
    [...trouble.map(printable), message, paint.dim(`  ${output.withProgramName(hint)}`)].join('\n'),
  )
  // GitHub reads this line anywhere in the log.
  if (io.env.GITHUB_ACTIONS === 'true')
    io.stderr.write(
      `${errorCommand({ title: failed.title, message: [failed.error, ...trouble, message].join('\n') })}\n`,
    )
}

interface SavedWorld {
  namespace: string
  /** What went wrong in it. */
  lines: readonly string[]
  isUsed: boolean
}

/** Reports that the message names. */
const MOST_NAMED = 5

/** The worlds in which something went wrong, else those that were used, else all. */
const worthReading = (worlds: readonly SavedWorld[]): readonly SavedWorld[] =>
  [worlds.filter(({ lines }) => lines.length > 0), worlds.filter(({ isUsed }) => isUsed), worlds].find(
    (some) => some.length > 0,
  )!

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
