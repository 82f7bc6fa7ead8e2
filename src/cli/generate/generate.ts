import { type Command, Option } from 'commander'
import type { OperationInfo } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import type { About } from '../../words/about.ts'
import { kebab } from '../../words/kebab.ts'
import { effectOf, isControl, pathNames, placeOf, requestLineOf } from '../../words/operation.ts'
import type { CommandFacts } from '../help/facts.ts'
import { hasRequiredOptions, REQUIRED_LINE } from '../help/format.ts'
import { GROUP_OF_HEADING } from '../help/groups.ts'
import { jsonLines } from '../help/json-lines.ts'
import { examplesOf } from '../help/tree.ts'
import { pagedBy } from '../output/pages.ts'
import { type Run, setAction } from '../session/session.ts'
import type { Field } from './fields.ts'
import { addFlag, flagName, numberOf, optionKey, repeated } from './flags.ts'
import { bodyExamples, forms } from './forms.ts'
import type { FieldsInWord, NounCommands, Variant } from './noun.ts'
import { setNounNote } from './noun-notes.ts'
import { type CommandPlan, type OperationWithOverlay, optionsOf } from './payload.ts'
import { perform } from './perform.ts'
import { queryFor } from './query-example.ts'

/** Adds `sandbox <noun>` with a command for each operation: path parameters are arguments, fields are options. */
export function addNoun(program: Command, { name, alias, group, summary }: About, additions: NounCommands, run: Run) {
  const command = program
    .command(kebab(name))
    .description(summary)
    .helpGroup(additions.group ?? GROUP_OF_HEADING[group])
  if (alias) command.alias(alias)
  command.helpCommand(false).usage('<command>')
  command.addHelpText('after', ({ command }) => (command.commands.some(hasRequiredOptions) ? `\n${REQUIRED_LINE}` : ''))
  if (additions.ids) {
    setNounNote(command, additions.ids)
    command.addHelpText('after', `\n${additions.ids}`)
  }
  if (additions.notes) command.addHelpText('after', `\n${additions.notes}`)
  command.addHelpText('after', () => {
    const example = command.commands.find((one) => one.name() === additions.example)
    return example ? `\nExample: ${examplesOf(example)[0]}` : ''
  })
  const verbs = new Set([...(additions.first ?? []), ...Object.keys(verbsOf[name]!)])
  for (const verb of verbs) {
    const overlay = additions.verbs?.[verb]
    const args = { ...additions.args, ...overlay?.args }
    addOperation(command, verb, { operation: verbsOf[name]![verb]!, overlay: { ...overlay, args } }, run)
  }
  for (const add of additions.handWritten ?? []) add(command, run)
}

const verbsOf: Readonly<Record<string, Record<string, OperationInfo>>> = operations

function addOperation(group: Command, verb: string, { operation, overlay }: OperationWithOverlay, run: Run) {
  if (overlay.skip || operation.media === 'text/event-stream') return
  const plain: Variant = { name: overlay.name ?? verb, summary: operation.summary, preset: {} }
  for (const variant of overlay.variants ?? [plain])
    addCommand(group, { operation, overlay, variant, name: kebab(variant.name) }, run)
  if (overlay.name) addCommand(group, { operation, overlay, variant: plain, name: kebab(verb) }, run, { hidden: true })
  if (!overlay.shortcut) return
  const plan = { operation, overlay, variant: plain, name: overlay.shortcut }
  addCommand(group.parent!, plan, run).helpGroup(group.helpGroup())
}

function addCommand(group: Command, plan: CommandPlan, run: Run, { hidden = false } = {}): Command {
  const { operation, overlay, variant } = plan
  const command = group.command(plan.name, { hidden }).description(variant.summary)
  if (overlay.alias) command.alias(overlay.alias)
  for (const name of pathNames(operation.path)) {
    const described = overlay.args?.[name]
    const word = described?.name ?? name
    command.argument(described?.found ? `[${word}]` : `<${word}>`, described?.describe ?? '')
    for (const field of described?.found?.fields ?? []) addFlag(command, field)
  }
  const fields = fieldsFor(plan)
  for (const field of fields.filter(({ name }) => overlay.positional?.includes(name)))
    addArgument(command, field, overlay.words?.[field.name])
  for (const field of fields) {
    const heading = overlay.headings?.[field.name]
    if (heading !== undefined) command.optionsGroup(heading)
    addFlag(command, field, { flag: overlay.flags?.[field.name], isArgument: overlay.positional?.includes(field.name) })
  }
  command.optionsGroup('')
  for (const [name, flag] of Object.entries(overlay.opposites ?? {}))
    command.addOption(
      new Option(flag, `opposite of ${flagName(name)}`).conflicts(optionKey(overlay.flags?.[name] ?? flagName(name))),
    )
  if (operation.body)
    command.option('--data <file>', `JSON body: a file or -${showsBody(fields) ? '' : '; --dry-run shows one'}`)
  if (operation.body && operation.method !== 'post' && fields.some(({ nullable }) => nullable))
    command.option('--unset <field>', 'field to clear (repeatable)', repeated(String))
  if (operation.method === 'get' && pagedBy(fields)) command.option('--all', 'read all pages as one list')
  if (operation.idempotency)
    command.option('--idempotency-key <key>', 'key that makes a repeat return the first answer')
  if (factsFor(plan).effect === 'destroys')
    command.option('--yes', 'skip the question before data on another machine is lost')
  command.addHelpText('after', notesOf(plan, fields))
  setAction(
    command,
    run,
    { ...factsFor(plan), sendsFields: true, typedAs: optionsOf(plan, fields) },
    (session, args, options) => perform(session, plan, fields, args as string[], options),
  )
  return command
}

/** Adds an argument with the values of the field's option, or with words that set the field. */
function addArgument(command: Command, { name, kind, choices, description, required }: Field, fieldsIn?: FieldsInWord) {
  const argument = command.createArgument(`[${name}]`, `${description}${required ? ' (required)' : ''}`)
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

const factsFor = ({ operation, overlay }: CommandPlan): CommandFacts => ({
  effect: effectOf(operation),
  needs: isControl(operation) ? 'sandbox' : 'service',
  ...(overlay.exits ? { exits: overlay.exits } : {}),
})

/** A body in help is as wide as its page. */
const BODY_WIDTH = 76

/** Without other examples, a command is shown as it is typed. */
const plainExample = (plan: CommandPlan) =>
  [
    wordsOf(plan),
    ...pathNames(plan.operation.path).map((param) => plan.overlay.args?.[param]?.example ?? `<${param}>`),
  ].join(' ')

const wordsOf = ({ operation, name }: CommandPlan) => `sandbox ${kebab(placeOf(operation).noun)} ${name}`

/** The examples of a command; one of several commands for an operation has its own. */
const examplesFor = (plan: CommandPlan): readonly string[] => {
  const { examples = [plainExample(plan)], variants } = plan.overlay
  return variants ? examples.filter((line) => line.startsWith(`${wordsOf(plan)} `)) : examples
}

/** A list shows how to take two of its fields. */
function queryExample(plan: CommandPlan): string[] {
  const { operation, overlay } = plan
  const { examples: [first = plainExample(plan), ...more] = [] } = overlay
  const query = operation.method === 'get' ? queryFor(operation.id, overlay.columns) : undefined
  if (query === undefined || [first, ...more].some((line) => line.includes('--query'))) return []
  return [`${first.replace(/ --.*/, '')} --query "${query}"`]
}

function notesOf(plan: CommandPlan, fields: readonly Field[]): string {
  const {
    operation: { id, details, method, path },
    overlay,
    variant,
  } = plan
  const { notes } = overlay
  const examples = [...examplesFor(plan), ...queryExample(plan)]
  const body = showsBody(fields) ? exampleOf(id, variant.preset) : undefined
  const parts = [
    details,
    notes,
    requestLineOf({ method, path }),
    body !== undefined ? `Body for --data:\n${jsonLines(body, BODY_WIDTH).replace(/^/gm, '  ')}` : undefined,
    ...fields.map(formsIn),
    examples.length > 0 ? `Examples:\n${examples.map((line) => `  $ ${line}`).join('\n')}` : undefined,
  ]
  return `\n${parts.filter(Boolean).join('\n\n')}`
}

/** The forms of a field in JSON, for those that an example cannot show. */
const formsIn = ({ name, forms: all }: Field): string | undefined =>
  all && `Forms in ${flagName(name)} (? is optional):\n${all.map((form) => `  ${form}`).join('\n')}`

/** Fields without an option of their own can be given as JSON only, of which help shows an example. */
const showsBody = (fields: readonly Field[]) => fields.some(({ kind }) => kind === 'json')

/** The example of a body without the fields that a command sets; undefined if it sets another value. */
function exampleOf(id: string, preset: Readonly<Record<string, unknown>>): unknown {
  const example = bodyExamples[id] as Readonly<Record<string, unknown>> | undefined
  if (!example || Object.entries(preset).some(([name, value]) => example[name] !== value)) return undefined
  return Object.fromEntries(Object.entries(example).filter(([name]) => !(name in preset)))
}

function fieldsFor({ operation, overlay, variant }: CommandPlan): Field[] {
  // --idempotency-key travels in the header.
  const keys = operation.idempotency ? ['idempotency_key'] : []
  const decided = new Set([...Object.keys(variant.preset), ...(variant.without ?? []), ...keys])
  return forms[operation.id]!.flatMap((field) => (overlay.spread?.includes(field.name) ? spread(field) : [field]))
    .filter(({ name }) => !decided.has(name))
    .map((field) => ({
      ...field,
      description: overlay.reads?.[field.name]?.describe ?? field.description,
      required: field.required || (variant.required?.includes(field.name) ?? false),
    }))
}

/** Creates an option for each field of an object: `match.to` becomes `--to`. */
const spread = ({ name, required, inside = [] }: Field): Field[] =>
  inside.map((field) => ({ ...field, name: `${name}.${field.name}`, required: required && field.required }))
