import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Makes something once for all test files of a run, which run in several processes: the first that needs it makes it in a
 * folder, the others wait. Returns the folder, which goes away with the run.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), name)
  const [made, failed] = [`${folder}.made`, `${folder}.failed`]
  if (await isFirst(folder)) {
    const reason = await make(folder).catch((error: unknown) => String(error))
    await writeFile(reason === undefined ? made : failed, reason ?? '')
  }
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(`${name} could not be made: ${await readFile(failed, 'utf8')}`)
    await sleep(20)
  }
  return folder
}

const isFirst = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
