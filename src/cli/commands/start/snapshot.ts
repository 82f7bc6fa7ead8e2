import { misconfigured } from '../../process/exit.ts'
import { bytesIn, MAX_SNAPSHOT_BYTES, refuseIncomplete } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'

/** The bytes of the snapshot that a start continues from; undefined for a new world. */
export async function snapshotBytes(io: Io, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined
  refuseIncomplete(io, file)
  return bytesIn(io, file, MAX_SNAPSHOT_BYTES)
}

/** Translates the refusal of a snapshot for the user; undefined for other errors. */
export function snapshotFault(
  code: string,
  message: string,
  { snapshot = '', data }: { snapshot?: string; data: string },
) {
  if (code === 'not_a_snapshot')
    return misconfigured(`${snapshot}: ${message}`, 'To create one: sandbox snapshots export')
  if (code === 'namespace_exists')
    return misconfigured(
      `${data} already holds a world, which --snapshot would replace.`,
      'Start with --memory, or with another --data folder; or, while it runs: sandbox snapshots import',
    )
  return undefined
}
