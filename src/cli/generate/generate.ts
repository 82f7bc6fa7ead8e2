import { type Command, Option } from 'commander'
import { call, type OperationInfo, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import type { About } from '../../words/about.ts'
import { isRecord } from '../../words/json.ts'
import { kebab } from '../../words/kebab.ts'
import { isControl, pathNames, placeOf } from '../../words/operation.ts'
import type { PaintedText } from '../output/output.ts'
import { allPages, pagedBy } from '../output/pages.ts'
import type { Paint } from '../output/paint.ts'
import { printableIn } from '../output/printable.ts'
import { inEuros, inline, render } from '../output/render.ts'
import { usage } from '../process/exit.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { sendUntilAccepted } from '../session/wizard.ts'
import type { Field } from './fields.ts'
import { addFlag, flagName, numberOf, optionKey, repeated } from './flags.ts'
import { forms } from './forms.ts'
import type { FieldsInWord, NounCommands, Overlay, Variant } from './noun.ts'
import { setNounNote } from './noun-notes.ts'
import { type CommandPlan, isEmptyRequest, type OperationWithOverlay, payloadOf } from './payload.ts'

/** Adds `sandbox <noun>` with a command for each operation: path parameters are arguments, fields are options. */
export function addNoun(program: Command, { name, alias, group, summary }: About, said: NounCommands, run: Run) {
  const command = program.command(kebab(name)).description(summary).helpGroup(`${group}:`)
  if (alias) command.alias(alias)
  command.helpCommand(false)
  if (said.ids) {
    setNounNote(command, said.ids)
    command.addHelpText('after', `\n${said.ids}`)
  }
  for (const [verb, operation] of Object.entries(verbsOf[name]!))
    addOperation(command, verb, { operation, overlay: said.verbs?.[verb] ?? {} }, run)
  for (const add of said.handWritten ?? []) add(command, run)
}

const verbsOf: Readonly<Record<string, Record<string, OperationInfo>>> = operations

function addOperation(group: Command, verb: string, { operation, overlay }: OperationWithOverlay, run: Run) {
  if (overlay.skip || operation.media === 'text/event-stream') return
  const plain: Variant = { name: verb, summary: operation.summary, preset: {} }
  for (const variant of overlay.variants ?? [plain])
    addCommand(group, { operation, overlay, variant, name: kebab(variant.name) }, run)
  if (!overlay.shortcut) return
  const plan = { operation, overlay, variant: plain, name: overlay.shortcut }
  addCommand(group.parent!, plan, run).helpGroup(group.helpGroup())
}

function addCommand(group: Command, plan: CommandPlan, run: Run): Command {
  const { operation, overlay, variant } = plan
  const command = group.command(plan.name).description(variant.summary)
  for (const name of pathNames(operation.path)) {
    const said = overlay.args?.[name]
    command.argument(`<${said?.name ?? name}>`, said?.describe ?? '')
  }
  const fields = fieldsFor(plan)
  for (const field of fields.filter(({ name }) => overlay.positional?.includes(name)))
    addArgument(command, field, overlay.words?.[field.name])
  for (const field of fields) addFlag(command, field, overlay.flags?.[field.name])
  for (const [name, flag] of Object.entries(overlay.opposites ?? {}))
    command.addOption(
      new Option(flag, `the opposite of ${flagName(name)}`).conflicts(
        optionKey(overlay.flags?.[name] ?? flagName(name)),
      ),
    )
  if (operation.body) command.option('--data <file>', 'JSON file with the whole body, - for stdin; flags add to it')
  if (operation.body && fields.some(({ nullable }) => nullable))
    command.option('--unset <field>', 'field to clear (repeatable)', repeated(String))
  if (operation.method === 'get' && pagedBy(fields)) command.option('--all', 'all pages, as one list')
  if (operation.idempotency)
    command.option(
      '--idempotency-key <key>',
      'a request with the same key gets the first answer and does nothing again',
    )
  command.addHelpText(
    'after',
    `\n${operation.details ? `${operation.details}\n\n` : ''}${operation.method.toUpperCase()} ${operation.path}${examplesOf(overlay)}`,
  )
  setAction(command, run, (session, args, options) => perform(session, plan, fields, args as string[], options))
  return command
}

/** Adds an argument that takes what the option of its field takes, or words that set it. */
function addArgument(command: Command, { name, kind, choices, description }: Field, fieldsIn?: FieldsInWord) {
  const argument = command.createArgument(`[${name}]`, description)
  if (kind === 'number') argument.argParser(numberOf)
  if (kind === 'choice') {
    const { parseArg: check } = argument.choices(choices!)
    if (fieldsIn)
      argument.argParser((text) => {
        check!(String(fieldsIn(text)[name]), undefined)
        return text
      })
  }
  command.addArgument(argument)
}

const examplesOf = ({ examples = [] }: Overlay) =>
  examples.length > 0 ? `\n\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}` : ''

function fieldsFor({ operation, overlay, variant }: CommandPlan): Field[] {
  // --idempotency-key travels in the header.
  const keys = operation.idempotency ? ['idempotency_key'] : []
  const decided = new Set([...Object.keys(variant.preset), ...(variant.without ?? []), ...keys])
  return forms[operation.id]!.flatMap((field) => (overlay.spread?.includes(field.name) ? spread(field) : [field]))
    .filter(({ name }) => !decided.has(name))
    .map((field) => ({ ...field, required: field.required || (variant.required?.includes(field.name) ?? false) }))
}

/** Makes an object's fields options of their own: `match.to` becomes `--to`. */
const spread = ({ name, required, inside = [] }: Field): Field[] =>
  inside.map((field) => ({ ...field, name: `${name}.${field.name}`, required: required && field.required }))

async function perform(
  session: Session,
  plan: CommandPlan,
  fields: Field[],
  args: string[],
  options: Record<string, unknown>,
) {
  await refuseUnfit(session, plan)
  const { operation, overlay } = plan
  const { io, endpoint, output } = session
  const params = await paramsOf(session, plan, args)
  const idempotencyKey = options.idempotencyKey as string | undefined
  const asked = (request: unknown) => call(endpoint, operation, params, request, { idempotencyKey, signal: io.signal })
  const said = await payloadOf(session, plan, fields, args.slice(Object.keys(params).length), options)
  if (options.all) {
    const whole = await allPages(pagedBy(fields)!, async (request) => resultOf(await asked(request)), said.request)
    return output.data(whole, (paint, shown) => answerInWords(plan, shown, said.request)(paint))
  }
  const { answer, payload } = await sendUntilAccepted(session, said, async (request) => {
    const payload = isEmptyRequest(request, operation) ? undefined : request
    const answer = await asked(payload).finally(overlay.meanwhile?.(session))
    if (answer.status >= 300) resultOf(answer)
    return { answer, payload }
  })
  if (operation.media && answer.status < 300) return output.raw(answer.body)
  output.data(resultOf(answer) ?? null, (paint, shown) => {
    const fields = { ...printableIn(params), ...asFields(inEuros(shown, overlay.money ?? [])) }
    const isAllDone = overlay.done && (shown === null || operation.method === 'delete') && !overlay.forPeople
    return [
      ...doneLines(plan, answer.status, fields, paint),
      ...(isAllDone ? [] : [answerInWords(plan, shown, payload)(paint)]),
    ].join('\n')
  })
}

async function refuseUnfit({ endpoint, output }: Session, { operation }: CommandPlan) {
  if (operation.method !== 'get' && !isControl(operation)) await endpoint.requireLive()
  if (output.isForPeople && operation.media && !/^text\/|yaml/.test(operation.media))
    throw usage(`${operation.media} cannot be shown on a terminal.`, 'Send it to a file: append > and a name.')
}

async function paramsOf(session: Session, { operation, overlay }: CommandPlan, args: readonly string[]) {
  const params: Record<string, string> = {}
  for (const [i, name] of pathNames(operation.path).entries())
    params[name] = (await overlay.args?.[name]?.read?.(args[i]!, session)) ?? args[i]!
  return params
}

const answerInWords = ({ operation, overlay }: CommandPlan, shown: unknown, request: object | undefined): PaintedText =>
  overlay.forPeople?.(shown, printableIn({ ...request })) ?? render(shown, { ...overlay, of: listedBy(operation) })

function doneLines(
  { overlay: { done } }: CommandPlan,
  status: number,
  fields: Record<string, unknown>,
  paint: Paint,
): string[] {
  const sentence = typeof done === 'object' ? done[status] : done
  if (sentence === undefined) return []
  return [`${paint.green('✓')} ${sentence.replace(/\{(\w+)\}/g, (_, name: string) => inline(fields[name]))}`]
}

const asFields = (value: unknown) => (isRecord(value) ? value : {})

/** The noun of a listed record: `webhooks.list` lists webhooks, `billing.invoices` invoices. */
function listedBy({ id }: OperationInfo): string {
  const { noun, verb } = placeOf({ id })
  return kebab(verb === 'list' ? noun : verb)
}
