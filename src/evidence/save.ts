import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '../client/client.ts'
import { shortened } from '../words/shortened.ts'
import { makeFolder } from '../world/storage/make-folder.ts'
import { PRIVATE_FILE } from '../world/storage/private.ts'

/** The files of the evidence. */
export interface Saved {
  /** The page, which opens from disk. It holds no secrets. */
  html: string
  /** The world, for `sandbox start --snapshot`. It holds the secrets of webhooks, so only its user may read it. */
  snapshot: string
}

interface EvidenceOptions {
  /** For example the name of the test. */
  title: string
  /** The error of the test. */
  error?: string | undefined
  /** File and line of the assertion. */
  location?: string | undefined
  /** Only what concerns this lease. */
  lease?: string | undefined
  /** Start of the test on the machine's clock, ISO 8601; calls without a valid key count from here. */
  startedAt?: string | undefined
}

export interface SaveOptions extends EvidenceOptions {
  folder: string
  /** Path of both files in the folder, without extension. */
  name: string
}

/**
 * Writes the evidence of a failed test: a page with everything that happened in the world of this client, and the world
 * itself. Existing files are replaced.
 */
export async function saveEvidence(client: Client, { folder, name, startedAt, ...about }: SaveOptions): Promise<Saved> {
  const { title, error, location, lease } = about
  const html = join(folder, `${name}.html`)
  const snapshot = join(folder, `${name}.snapshot`)
  // A page accepts texts of limited length, and a command or an error may be longer.
  const page = await client.evidence.page({
    title: shortened(title, 500),
    ...(error !== undefined && { error: shortened(error, 100_000) }),
    ...(location !== undefined && { location: shortened(location, 1_000) }),
    ...{ lease, snapshot, started_at: startedAt },
  })
  // Others may read the page: a container's user is not that of the host.
  makeFolder(dirname(html))
  // A checkout may have a link there, or a file that others can read.
  for (const file of [html, snapshot]) await rm(file, { force: true })
  await writeFile(html, page)
  await writeFile(snapshot, await imageOf(client), { mode: PRIVATE_FILE })
  return { html, snapshot }
}

/** The bytes of the world. The snapshot that is taken for them is removed again. */
async function imageOf(client: Client): Promise<Uint8Array> {
  const { name } = await client.snapshots.save()
  try {
    return await client.snapshots.export(name)
  } finally {
    await client.snapshots.delete(name)
  }
}
