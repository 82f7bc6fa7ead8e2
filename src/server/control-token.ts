import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { CONTROL_TOKEN_FILE, isControlToken } from '../words/control-token.ts'
import { machineSecret } from '../world/machine-secret.ts'
import { ForeignFile, isPrivate, readOwnFile, replaceOwnFile } from '../world/storage/own-files.ts'

/**
 * The control token. The data folder keeps it, so that it survives restarts. One that others can read is replaced,
 * because they know it: it may come from a checkout.
 */
export function controlTokenOf(folder: string | undefined): string {
  const file = folder === undefined ? undefined : join(folder, CONTROL_TOKEN_FILE)
  const stored = file === undefined ? undefined : trustedToken(file)
  if (stored !== undefined) return stored
  const token = machineSecret('ct_')
  if (file !== undefined) replaceOwnFile(file, `${token}\n`)
  return token
}

/** An administrator may install a token for this user. */
const ROOT = 0

function trustedToken(file: string): string | undefined {
  let isTrusted = false
  const content = readOwnFile(file, (stats) => {
    isTrusted = isPrivate(stats) || isOfAnother(stats)
    if (isOfAnother(stats) && stats.uid !== ROOT) throw new ForeignFile(file, 'a file of another user')
  })
  const token = content?.toString().trim() ?? ''
  return isTrusted && isControlToken(token) ? token : undefined
}

const isOfAnother = ({ uid }: Stats): boolean => process.platform !== 'win32' && uid !== process.getuid?.()
