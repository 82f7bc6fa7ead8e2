import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROL_TOKEN_FILE } from '../../words/control-token.ts'
import type { Io } from '../process/io.ts'

/** Reads the token of a local emulator from its data folder. No other address is sent it. */
export function knownControlToken(baseUrl: string, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string | undefined {
  if (env.SANDBOX_CONTROL_TOKEN) return env.SANDBOX_CONTROL_TOKEN
  if (!LOOPBACK.test(new URL(baseUrl).hostname)) return undefined
  try {
    return readFileSync(join(cwd, '.sandbox', CONTROL_TOKEN_FILE), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
