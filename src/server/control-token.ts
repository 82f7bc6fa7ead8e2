import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROL_TOKEN_FILE, isControlToken } from '../words/control-token.ts'
import { machineSecret } from '../world/machine-secret.ts'

/** The control token. The data folder keeps it, so that it survives restarts. */
export function controlTokenOf(folder: string | undefined): string {
  const file = folder === undefined ? undefined : join(folder, CONTROL_TOKEN_FILE)
  const known = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (isControlToken(known)) return known
  const token = machineSecret('ct_')
  if (file !== undefined) {
    // The mode is applied to a new file only.
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  return token
}
