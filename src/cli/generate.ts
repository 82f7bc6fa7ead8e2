import type { Command } from 'commander'
import { api } from '../api.ts'
import { call, resultOf } from '../client/call.ts'
import { type Operation, pathNames } from '../words/operation.ts'
import { usage } from './exit.ts'
import { type Field, fieldsOf } from './fields.ts'
import { objectIn } from './files.ts'
import { addFlag, flagName, numberOf, optionKey } from './flags.ts'
import { nouns, type Overlay, overlays, type Variant } from './overlay.ts'
import { render } from './render.ts'
import { does, type Run, type Session } from './session.ts'

/** A command for every operation: path parameters as arguments, fields of the body or query as flags. */
export function addGenerated(program: Command, run: Run) {
  for (const [noun, operations] of Object.entries(api as Record<string, Record<string, Operation>>)) {
    const group = nounCommand(program, kebab(noun))
    for (const [verb, operation] of Object.entries(operations)) addOperation(group, verb, operation, run)
  }
}

/** The command `sandbox <noun>`, under its heading. */
export function nounCommand(program: Command, noun: string): Command {
  const name = kebab(noun)
  const known = program.commands.find((command) => command.name() === name)
  if (known) return known
  const { group = 'More:', summary = '' } = nouns[name] ?? {}
  return program.command(name).summary(summary).description(summary).helpGroup(group).helpCommand(false)
}

function addOperation(group: Command, verb: string, operation: Operation, run: Run) {
  const overlay = overlays[operation.id] ?? {}
  if (overlay.skip || operation.media === 'text/event-stream') return
  const plain: Variant = { name: verb, summary: operation.summary, preset: {} }
  for (const variant of overlay.variants ?? [plain])
    addCommand(group, { operation, overlay, variant, name: kebab(variant.name) }, run)
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')

interface Plan {
  operation: Operation
  overlay: Overlay
  variant: Variant
  name: string
}

function addCommand(group: Command, plan: Plan, run: Run) {
  const { operation, overlay, variant } = plan
  const command = group.command(plan.name).description(variant.summary).summary(variant.summary)
  for (const name of pathNames(operation.path)) {
    const said = overlay.args?.[name]
    command.argument(`<${said?.name ?? name}>`, said?.describe ?? '')
  }
  const fields = fieldsFor(plan)
  for (const field of fields.filter(({ name }) => overlay.positional?.includes(name))) addArgument(command, field)
  for (const field of fields) addFlag(command, field, overlay.flags?.[field.name])
  if (operation.body) command.option('--data <file>', 'JSON file with the whole body, - for stdin; flags add to it')
  if (operation.body && fields.some(({ nullable }) => nullable))
    command.option('--unset <field>', 'field to clear (repeatable)', (name: string, before: string[] = []) => [
      ...before,
      name,
    ])
  if (operation.idempotency)
    command.option('--idempotency-key <key>', 'the same key again repeats the answer, not the deed')
  command.addHelpText('after', `\n${operation.method.toUpperCase()} ${operation.path}${examplesOf(overlay)}`)
  does(command, run, (session, args, options) => perform(session, plan, fields, args as string[], options))
}

/** A number is one wherever it stands. */
function addArgument(command: Command, { name, kind, description }: Field) {
  if (kind === 'number') command.argument(`[${name}]`, description, numberOf)
  else command.argument(`[${name}]`, description)
}

const examplesOf = ({ examples = [] }: Overlay) =>
  examples.length > 0 ? `\n\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}` : ''

function fieldsFor({ operation, variant }: Plan): Field[] {
  // The key has a flag of its own and travels in the header.
  const keys = operation.idempotency ? ['idempotency_key'] : []
  const decided = new Set([...Object.keys(variant.preset), ...(variant.without ?? []), ...keys])
  return fieldsOf(operation.body ?? operation.query)
    .filter(({ name }) => !decided.has(name))
    .map((field) => ({ ...field, required: field.required || (variant.required?.includes(field.name) ?? false) }))
}

async function perform(
  session: Session,
  plan: Plan,
  fields: Field[],
  args: string[],
  options: Record<string, unknown>,
) {
  const { operation, overlay } = plan
  if (session.output.people && operation.media && !operation.media.startsWith('text/'))
    throw usage(`${operation.media} is nothing for a terminal.`, 'Send it to a file: append > and a name.')
  const names = pathNames(operation.path)
  const params = Object.fromEntries(names.map((name, i) => [name, overlay.args?.[name]?.read?.(args[i]!) ?? args[i]!]))
  const payload = await payloadOf(session, plan, fields, args.slice(names.length), options)
  const idempotencyKey = options.idempotencyKey as string | undefined
  const answer = await call(session.endpoint, operation, params, payload, { idempotencyKey, signal: session.io.signal })
  if (operation.media && answer.status < 300) return session.output.raw(answer.body)
  const result = resultOf(answer)
  session.output.data(result ?? null, overlay.forPeople?.(result as never) ?? render(result, overlay.columns))
}

async function payloadOf(
  { io }: Session,
  plan: Plan,
  fields: Field[],
  rest: (string | undefined)[],
  options: Record<string, unknown>,
) {
  const { operation, overlay, variant } = plan
  const payload = { ...(typeof options.data === 'string' ? await objectIn(io, options.data) : {}), ...variant.preset }
  const positional = fields.filter(({ name }) => overlay.positional?.includes(name))
  for (const [i, { name }] of positional.entries()) if (rest[i] !== undefined) payload[name] = rest[i]
  for (const { name } of fields) {
    const value = options[optionKey(overlay.flags?.[name] ?? flagName(name))]
    if (value !== undefined) payload[name] = value
  }
  for (const name of (options.unset as string[] | undefined) ?? []) payload[unsettable(name, fields)] = null
  const missing = fields.filter(({ name, required }) => required && payload[name] === undefined)
  if (missing.length > 0)
    throw usage(`Missing ${missing.map(({ name }) => overlay.flags?.[name] ?? flagName(name)).join(', ')}.`)
  return Object.keys(payload).length === 0 && (operation.bodyOptional || !operation.body) ? undefined : payload
}

function unsettable(text: string, fields: Field[]): string {
  const name = text.replaceAll('-', '_')
  const clearable = fields.filter(({ nullable }) => nullable).map((field) => field.name)
  if (clearable.includes(name)) return name
  throw usage(
    `--unset ${text}: there is no such field to clear.`,
    `Fields that can be cleared: ${clearable.join(', ')}.`,
  )
}
