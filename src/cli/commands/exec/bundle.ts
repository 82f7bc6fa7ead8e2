import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { type Client, createClient } from '../../../client/client.ts'
import { allItems, logAfter } from '../../../client/pages.ts'
import { addToSummary, errorCommand } from '../../../evidence/github.ts'
import { saveEvidence } from '../../../evidence/save.ts'
import { apiKeyOf } from '../../../words/api-key.ts'
import { shellPath } from '../../../words/shell.ts'
import { PRIVATE_FILE } from '../../../world/storage/private.ts'
import type { Output } from '../../output/output.ts'
import { usage } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'
import { claimFolder, entriesIn, tryFolder } from './places.ts'

/** Names both files of a namespace: `world.html`, `world.snapshot`. */
const NAME = 'world'

interface Failed {
  title: string
  error: string
}

/**
 * Prepares to save what explains a failed command. Refuses a folder that cannot be written, before the command runs.
 */
export function failureReports(io: Io, output: Output, folder: string) {
  const writing = <T>(work: () => T) => refusingFaults(folder, work)
  const whole = resolve(io.cwd, folder)
  const before = writing(() => {
    tryFolder(whole)
    return entriesIn(whole)
  })
  return {
    /** Saves for each namespace a folder with a page, the world, events, requests and deliveries. */
    async save(baseUrl: string, failed: Failed) {
      const worlds: SavedWorld[] = []
      const { namespaces } = await createClient({ baseUrl }).namespaces.list()
      for (const { name } of namespaces) {
        const place = writing(() => claimFolder(whole, name, before, REPORT_FILES))
        const client = createClient({ baseUrl, apiKey: apiKeyOf(name), isObserver: true })
        try {
          worlds.push(await writing(() => saveWorld(io, client, place, { ...failed, namespace: name })))
        } catch (error) {
          // A part of a report would be taken for the whole.
          rmSync(place, { recursive: true, force: true })
          throw error
        }
      }
      tellSaved(io, output, { folder, worlds, failed })
    },
  }
}

/** Turns an error of the file system into a refusal that names the folder. */
function refusingFaults<T>(folder: string, work: () => T): T {
  const refuse = (error: NodeJS.ErrnoException) => {
    const isOfFile = error.code?.startsWith('E') && error.syscall !== undefined
    throw isOfFile ? usage(`${folder} cannot be written: ${error.message.split(',')[0]}.`) : error
  }
  try {
    const done = work()
    return done instanceof Promise ? (done.catch(refuse) as T) : done
  } catch (error) {
    return refuse(error as NodeJS.ErrnoException)
  }
}

async function saveWorld(
  io: Io,
  client: Client,
  place: string,
  { namespace, ...failed }: Failed & { namespace: string },
) {
  const { html } = await saveEvidence(client, { ...failed, folder: place, name: NAME })
  const { lines } = await client.evidence.show()
  let isUsed = false
  for (const [file, itemsOf] of Object.entries(LOGS)) {
    const items = await itemsOf(client)
    isUsed ||= items.length > 0
    await writeFile(join(place, file), jsonLines(items), { mode: PRIVATE_FILE })
  }
  await addToSummary({ title: `${failed.title} (${namespace})`, lines, page: relative(io.cwd, html) }, io.env)
  return { name: basename(place), lines, isUsed }
}

function tellSaved(
  io: Io,
  output: Output,
  { folder, worlds, failed }: { folder: string; worlds: readonly SavedWorld[]; failed: Failed },
) {
  const trouble = worlds.flatMap(({ lines }) => lines)
  const shown = worthReading(worlds)
  const pages = shown.map(({ name }) => join(folder, name, `${NAME}.html`))
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more in ${folder}` : ''
  const message = `See the report ${pages.slice(0, MOST_NAMED).join(', ')}${more}. Its folder also holds the world, its events, requests and deliveries.`
  const snapshot = join(folder, shown[0]!.name, `${NAME}.snapshot`)
  const hint = `sandbox start --memory --snapshot ${shellPath(snapshot)}`
  output.warn({ type: 'saved', folder, page: pages[0], pages, message, hint, trouble }, (paint, shown) =>
    [...shown.trouble, message, paint.dim(`  ${shown.hint}`)].join('\n'),
  )
  // GitHub reads this line anywhere in the log.
  if (io.env.GITHUB_ACTIONS === 'true')
    io.stderr.write(
      `${errorCommand({ title: failed.title, message: [failed.error, ...trouble, message].join('\n') })}\n`,
    )
}

interface SavedWorld {
  /** The name of its folder. */
  name: string
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

const LOGS: Readonly<Record<string, (client: Client) => Promise<readonly unknown[]>>> = {
  'requests.jsonl': ({ logs }) =>
    Array.fromAsync(
      logAfter(
        0,
        (query) => logs.list({ ...query, full: 'true' }),
        (page) => page.requests,
      ),
    ),
  'events.jsonl': ({ events }) => Array.fromAsync(logAfter(0, events.list, (page) => page.events)),
  'deliveries.jsonl': ({ events }) => allItems(events.deliveries, (page) => page.data),
}

/** All files that a report has. */
const REPORT_FILES = [`${NAME}.html`, `${NAME}.snapshot`, ...Object.keys(LOGS)]

const jsonLines = (items: readonly unknown[]) => Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
