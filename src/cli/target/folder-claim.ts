import { dirname } from 'node:path'
import { isAlive } from '../../http/is-alive.ts'
import { isThisMachine } from '../../http/request.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import { hasOwnFolder, isForeignFile, isPrivate, readOwnFile } from '../../world/storage/own-files.ts'
import { misconfigured } from '../process/exit.ts'

export const OWNER_FILE = 'owner.json'

/** What the owner.json of a data folder claims. Others may have created the file, so it is verified before it is used. */
export interface FolderClaim {
  file: string
  url: string
  pid: number
  /** Known to the process that uses the folder. */
  secret: string
}

/** Reads the claim of a data folder; undefined if no running process uses it. */
export const claimIn = (file: string): FolderClaim | undefined => ownerIn(file).claim

/** The same; or whether the process that used the folder has ended without a word, as a killed one does. */
export function ownerIn(file: string): { claim?: FolderClaim; wasKilled?: boolean } {
  const { fields, isUnshared } = contentOf(file)
  const { url, pid, secret } = fields
  if (typeof url !== 'string' || !URL.canParse(url)) return {}
  if (typeof pid !== 'number' || !Number.isInteger(pid)) return {}
  if (!isAlive(pid)) return { wasKilled: true }
  if (!isThisMachine(new URL(url))) throw untrusted(file, `names ${url}, which is not this machine`)
  if (typeof secret !== 'string' || secret.length < 16)
    throw untrusted(file, `names ${url}, and contains no proof that a sandbox there is yours`)
  if (!isUnshared) throw untrusted(file, 'can be read or written by others')
  return { claim: { file, url, pid, secret } }
}

/** Refuses a claim. */
export const untrusted = (file: string, fault: string) =>
  misconfigured(
    `${file} ${fault}. Nothing was sent.`,
    `If your own sandbox runs in this folder, restart it. Otherwise remove the file. To call a service, use --base-url.`,
    { file },
  )

function contentOf(file: string): { fields: Record<string, unknown>; isUnshared: boolean } {
  let isUnshared = false
  try {
    const bytes = hasOwnFolder(dirname(file)) ? readOwnFile(file, (stats) => (isUnshared = isPrivate(stats))) : ''
    const content = jsonOr(String(bytes), undefined)
    return { fields: isRecord(content) ? content : {}, isUnshared }
  } catch (error) {
    if (isForeignFile(error)) throw misconfigured(`${error.message} Nothing was sent.`, undefined, { file: error.file })
    return { fields: {}, isUnshared }
  }
}
