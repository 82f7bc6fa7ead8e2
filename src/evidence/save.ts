import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client/client.ts'
import { machineNow } from '../world/machine-time.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../world/storage/private.ts'
import { isoTime } from '../world/time/clock.ts'
import { type Gathered, gather } from './gather.ts'
import { pageOf, type Told } from './page.ts'

/** The files of the evidence. */
export interface Saved {
  /** The page, which opens from disk. */
  html: string
  /** The world, for `sandbox start --snapshot`. It holds the secrets of webhooks, the page none. */
  snapshot: string
}

export interface SaveOptions extends Omit<Told, 'snapshot'> {
  folder: string
  /** The file name without extension. */
  name: string
}

/**
 * Writes what a failed test has left: a page with everything that happened in the world of this client, and the world itself.
 * Files of the same name are written over. Resolves to their paths, and to all that was gathered for the page.
 */
export async function saveEvidence(
  client: Client,
  { folder, name, title, error }: SaveOptions,
): Promise<Saved & { gathered: Gathered }> {
  const html = join(folder, `${name}.html`)
  const snapshot = join(folder, `${name}.snapshot`)
  const gathered = await gather(client)
  makePrivateFolder(folder)
  await writeFile(snapshot, await imageOf(client, gathered.namespace), { mode: PRIVATE_FILE })
  await writeFile(html, await pageOf(gathered, { title, error, snapshot }, isoTime(machineNow())), {
    mode: PRIVATE_FILE,
  })
  return { html, snapshot, gathered }
}

/** The bytes of the world. The copy that is taken for them is removed again. */
async function imageOf(client: Client, namespace: string): Promise<Uint8Array> {
  const { name } = await client.snapshots.save({ name: `evidence-${namespace}`.slice(0, 64) })
  try {
    return await client.snapshots.export(name)
  } finally {
    await client.snapshots.delete(name)
  }
}
