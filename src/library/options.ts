import { brokenField } from '../words/broken-fields.ts'
import { suggest } from '../words/suggest.ts'
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

/** Refuses unknown options, which plain JavaScript would let pass. */
export function checkOptions(options: SandboxOptions) {
  const known = Object.keys(OPTIONS)
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw brokenField(name, 'unknown_field', `is no option of createSandbox${suggest(name, known)}`)
}

/** Refuses an unsuitable Node before it crashes. */
export function checkNode({ napi, node }: NodeJS.ProcessVersions = process.versions) {
  if (Number(napi) < MIN_NAPI) throw new Error(`messaging-sandbox needs Node 22.22 or newer; this is Node ${node}.`)
}
