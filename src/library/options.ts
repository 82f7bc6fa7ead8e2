import { z } from 'zod'
import { DEFAULT_BASE_URL } from '../words/default-url.ts'
import { StartInstant } from '../words/instant.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { parsePace } from '../words/pace.ts'
import { MAX_SEED_LENGTH } from '../words/seed.ts'
import { checkedText } from '../words/text.ts'
import { validate } from '../words/validate.ts'
import type { ConnectOptions, SandboxOptions } from './sandbox.ts'

const Pace = checkedText('invalid_value', (text) => {
  const pace = parsePace(text)
  return typeof pace === 'string' ? pace : undefined
})
const ApiKey = z
  .string()
  .regex(/^sk_sandbox_[a-z0-9_-]{1,64}$/, 'must have the form sk_sandbox_<namespace> with 1 to 64 of a-z, 0-9, - and _')
/** A shared sandbox appends a secret of 40 characters to the name of the namespace. */
const AnyApiKey = z
  .string()
  .regex(
    /^sk_sandbox_[a-z0-9_-]{1,105}$/,
    'must be a key of a sandbox: sk_sandbox_<namespace>, or the one that "sandbox namespaces create" printed',
  )
/** An unset variable must not count as none, nor name the working folder. */
const Text = z.string().min(1)
const Count = z.int().min(1)
const Requests = z.int().min(0)
const aFunction = z.custom<never>((value) => typeof value === 'function', 'must be a function')

const OPTIONS = {
  clock: Pace,
  now: StartInstant,
  world: Text,
  seed: Text.max(MAX_SEED_LENGTH),
  port: z.int().min(0).max(65_535),
  data: Text,
  rateLimits: z.boolean(),
  limits: z
    .strictObject({ send: Requests, read: Requests, agents: Requests, billing: Requests, other: Requests })
    .partial(),
  maxNamespaces: Count,
  maxOpenNamespaces: Count,
  apiKey: ApiKey,
  checkAnswers: z.boolean(),
  onFault: aFunction,
} satisfies { [Option in keyof Required<SandboxOptions>]: z.ZodType }

/** Names of the options of createSandbox(). */
export const OPTION_NAMES = Object.keys(OPTIONS)

const CONNECT_OPTIONS = {
  url: z.string().refine((url) => URL.canParse(url), `must be the URL of an emulator, such as ${DEFAULT_BASE_URL}`),
  apiKey: AnyApiKey,
  controlToken: z.string(),
} satisfies { [Option in keyof Required<ConnectOptions>]: z.ZodType }

/** Refuses options of createSandbox() that do not exist or have a wrong value, with the nearest that exists. */
export const checkOptions = (options: SandboxOptions) => check(options, OPTIONS, 'createSandbox')

export const checkConnectOptions = (options: ConnectOptions) => check(options, CONNECT_OPTIONS, 'connectSandbox')

function check(options: object, schemas: Readonly<Record<string, z.ZodType>>, of: string) {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${of}() takes an object with options.`)
  refuseUnknownOptions(options, Object.keys(schemas), of)
  // Only the options of this call need schemas: making all of them takes 4 ms of a first sandbox.
  const fields = Object.entries(schemas).filter(([name]) => name in options)
  if (fields.length > 0) validate(z.object(Object.fromEntries(fields)).partial(), options, of)
}
