import { refuseUnknownOptions } from '../words/known-options.ts'
import type { SandboxOptions } from './sandbox.ts'

/** With an older Node-API better-sqlite3 crashes without a message. */
const MIN_NAPI = 10

const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  clock: true,
  now: true,
  world: true,
  seed: true,
  port: true,
  data: true,
  rateLimits: true,
  limits: true,
  maxNamespaces: true,
  maxOpenNamespaces: true,
  apiKey: true,
  checkAnswers: true,
  onFault: true,
}

export const checkOptions = (options: SandboxOptions) =>
  refuseUnknownOptions(options, Object.keys(OPTIONS), 'createSandbox')

/** Refuses an unsuitable Node before it crashes. */
export function checkNode({ napi, node }: NodeJS.ProcessVersions = process.versions) {
  if (Number(napi) < MIN_NAPI) throw new Error(`messaging-sandbox needs Node 22.22 or newer; this is Node ${node}.`)
}
