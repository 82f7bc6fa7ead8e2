import { type OperationInfo, Refusal } from '../../client/call.ts'
import { kebab } from '../../words/kebab.ts'
import { placeOf } from '../../words/operation.ts'
import { setAt, valueAt } from '../../words/path.ts'
import { usage } from '../process/exit.ts'
import { objectIn } from '../process/files.ts'
import type { Session } from '../session/session.ts'
import { lacking, type MissingField, type PromptedRequest, promptForMissing } from '../session/wizard.ts'
import type { Field } from './fields.ts'
import { flagName, optionKey } from './flags.ts'
import { forms } from './forms.ts'
import type { Overlay, Variant } from './noun.ts'
import { promptFor } from './prompts.ts'

export interface OperationWithOverlay {
  operation: OperationInfo
  overlay: Overlay
}

/** One command of an operation. */
export interface CommandPlan extends OperationWithOverlay {
  variant: Variant
  name: string
}

type Payload = Record<string, unknown>

/** Builds the body or query from arguments and options, and asks for missing values. */
export async function payloadOf(
  session: Session,
  plan: CommandPlan,
  fields: Field[],
  rest: (string | undefined)[],
  options: Record<string, unknown>,
): Promise<PromptedRequest> {
  const { overlay, variant } = plan
  const payload: Payload = {
    ...(typeof options.data === 'string' ? await objectIn(session.io, options.data) : {}),
    ...variant.preset,
  }
  const positional = fields.filter(({ name }) => overlay.positional?.includes(name))
  for (const [i, { name }] of positional.entries()) {
    const word = rest[i]
    if (word === undefined) continue
    for (const [field, value] of Object.entries(overlay.words?.[name]?.(word) ?? { [name]: word }))
      setAt(payload, field, value)
  }
  for (const { name } of fields) {
    const value = options[optionKey(overlay.flags?.[name] ?? flagName(name))]
    if (value !== undefined) setAt(payload, name, value)
    const opposite = overlay.opposites?.[name]
    if (opposite && options[optionKey(opposite)]) setAt(payload, name, false)
  }
  for (const name of (options.unset as string[] | undefined) ?? [])
    setAt(payload, clearableField(name, fields, overlay.flags), null)
  for (const [name, { read }] of Object.entries(overlay.reads ?? {}))
    if (typeof payload[name] === 'string') payload[name] = await read(payload[name], session)
  for (const [name, value] of Object.entries(overlay.defaults?.(payload) ?? {})) payload[name] ??= value
  return askForMissing(session, plan, fields, payload)
}

/** Asks for missing required fields and for the fields in `asks`. */
function askForMissing(
  session: Session,
  { operation, overlay, name }: CommandPlan,
  fields: Field[],
  request: Payload,
): PromptedRequest | Promise<PromptedRequest> {
  const isMissing = ({ name }: Field) => valueAt(request, name) === undefined
  const flagOf = typedAs(overlay)
  const missing = fields.filter((field) => field.required && isMissing(field))
  if (missing.length === 0) return { request, typed: [] }
  const wanted = fields.filter((field) => isMissing(field) && (field.required || overlay.asks?.includes(field.name)))
  // A choice with one value needs no question.
  const [only, open] = [
    wanted.filter(({ choices }) => choices?.length === 1),
    wanted.filter(({ choices }) => choices?.length !== 1),
  ]
  const needs = open.map((field) => promptFor(field, flagOf(field)))
  const names = forms[operation.id]!.map(({ name }) => name)
  const help = helpOf({ operation, name })
  if (!session.output.canAsk || needs.includes(undefined))
    throw lacking([missing.map(flagOf).join(', ')], request, names, help)
  const decided = Object.fromEntries(only.map(({ name, choices }) => [name, choices![0]]))
  return promptForMissing(
    session,
    { request: { ...request, ...decided }, typed: [] },
    needs as MissingField[],
    names,
    help,
  )
}

/** How a field is typed: `--reason`, or `<text>` for an argument. */
const typedAs =
  ({ flags, positional }: Overlay) =>
  ({ name }: Pick<Field, 'name'>) =>
    positional?.includes(name) ? `<${name}>` : (flags?.[name] ?? flagName(name))

const helpOf = ({ operation, name }: Pick<CommandPlan, 'operation' | 'name'>) =>
  `See: sandbox ${kebab(placeOf(operation).noun)} ${name} --help`

/** The error for a refusal that could only name the body, or an object in it: it names the options that are missing. */
export function lackingAny(plan: CommandPlan, fields: readonly Field[], request: Payload, refusal: unknown) {
  const { operation, overlay } = plan
  if (!(refusal instanceof Refusal) || refusal.code !== 'validation_error' || !operation.body) return undefined
  const [first] = refusal.details
  const object = overlay.spread?.find((name) => name === first?.field && request[name] === undefined)
  const inside = fields.filter(({ name }) => name.startsWith(`${object}.`))
  const isOfAll = first?.field === '' && Object.keys(request).length === 0
  const words = (isOfAll ? fields : inside).map(typedAs(overlay))
  return words.length > 0 ? usage(`Missing options: pass one of ${words.join(', ')}.`, helpOf(plan)) : undefined
}

/** How each field is typed, by its name. */
export const optionsOf = ({ overlay }: CommandPlan, fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.name, typedAs(overlay)(field)]))

export const isEmptyRequest = (payload: Payload, { body, bodyOptional }: OperationInfo) =>
  Object.keys(payload).length === 0 && (bodyOptional || !body)

function clearableField(text: string, fields: Field[], flags: Overlay['flags'] = {}): string {
  const flag = flagName(text)
  const clearable = fields.filter(({ nullable }) => nullable).map((field) => field.name)
  const name = clearable.find((field) => flagName(field) === flag || flags[field] === flag)
  if (name !== undefined) return name
  throw usage(
    `--unset ${text}: unknown field.`,
    `Fields that can be cleared: ${clearable.map((field) => field.replace(/^.*\./, '')).join(', ')}.`,
  )
}
