import { dirname, join } from 'node:path'
import { isThisMachine } from '../../http/request.ts'
import { CONTROL_TOKEN_FILE, isControlToken } from '../../words/control-token.ts'
import { hasOwnFolder, readOwnFile } from '../../world/storage/own-files.ts'
import type { Io } from '../process/io.ts'
import { type Choice, DEFAULT_DATA } from './choice.ts'
import { claimIn, OWNER_FILE } from './folder-claim.ts'

type Environment = Pick<Io, 'env' | 'cwd'>

/** A control token, and where it was configured. */
export interface KnownToken {
  token: string
  from: string
}

/** The token of the flag, of the environment, or of the data folder of the working folder, for the sandbox that uses it. */
export function knownControlToken(
  flag: string | undefined,
  { baseUrl, claim }: Pick<Choice, 'baseUrl' | 'claim'>,
  { env, cwd }: Environment,
): KnownToken | undefined {
  if (flag) return { token: flag, from: '--control-token' }
  if (env.SANDBOX_CONTROL_TOKEN) return { token: env.SANDBOX_CONTROL_TOKEN, from: 'SANDBOX_CONTROL_TOKEN' }
  const folder = claim ? dirname(claim.file) : join(cwd, DEFAULT_DATA)
  if (!isThisMachine(new URL(baseUrl)) || !(claim || isFree(folder, baseUrl))) return undefined
  try {
    if (!hasOwnFolder(folder)) return undefined
    const file = join(folder, CONTROL_TOKEN_FILE)
    const token = readOwnFile(file)?.toString().trim() ?? ''
    return isControlToken(token) ? { token, from: file } : undefined
  } catch {
    return undefined
  }
}

/** No process of this machine uses the folder, or the one at that port: a container may use it, too. */
function isFree(folder: string, baseUrl: string): boolean {
  try {
    const claim = claimIn(join(folder, OWNER_FILE))
    return !claim || new URL(claim.url).port === new URL(baseUrl).port
  } catch {
    return false
  }
}
