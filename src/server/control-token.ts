import { join } from 'node:path'
import { CONTROL_TOKEN_FILE, isControlToken } from '../words/control-token.ts'
import { machineSecret } from '../world/machine-secret.ts'
import { readOwnFile, replaceOwnFile } from '../world/storage/own-files.ts'

/** The control token. The data folder keeps it, so that it survives restarts. */
export function controlTokenOf(folder: string | undefined): string {
  const file = folder === undefined ? undefined : join(folder, CONTROL_TOKEN_FILE)
  const stored = (file === undefined ? undefined : readOwnFile(file))?.toString().trim() ?? ''
  if (isControlToken(stored)) return stored
  const token = machineSecret('ct_')
  if (file !== undefined) replaceOwnFile(file, `${token}\n`)
  return token
}
