import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { api, nouns } from '../../src/registry/api.ts'
import { catalogue } from '../../src/service/events/catalogue.ts'
import { type Operation, pathNames, requestLineOf } from '../../src/words/operation.ts'
import { blockOf, comment, commentOf, DeclaredTypes, nameOf } from './declared-types.ts'

/**
 * Writes the declarations of the client and of events as plain types with comments, by file. The compiler's own are computed
 * from schemas, whose descriptions editors do not show. `undocumented` lists the fields without a description.
 */
export function clientTypes(): { files: Record<string, string>; undocumented: string[] } {
  const inputs = new DeclaredTypes('input')
  const answered = new DeclaredTypes('output')
  const events = new DeclaredTypes('output')
  const client = clientOf(inputs, answered)
  return {
    files: {
      'client/client.d.ts': paragraphs(
        "import type { EventSubscription } from '../service/events/catalogue.js';",
        "import { type CallOptions, type ClientOptions } from './call.js';",
        inputs.interfaces,
        answered.interfaces,
        ...client,
        '/** A typed client of the whole interface, made from its operations. */\nexport declare function createClient(options: ClientOptions): Client;',
      ),
      'client/answers.d.ts': ANSWERS,
      'service/events/catalogue.d.ts': eventTypes(events),
    },
    undocumented: [inputs, answered, events].flatMap(({ undocumented }) => undocumented),
  }
}

/** Replaces the declarations that the compiler has written. */
export function declareClient(folder: string) {
  for (const [path, text] of Object.entries(clientTypes().files)) writeFileSync(join(folder, path), text)
}

const paragraphs = (...all: readonly string[]) => `${all.filter((one) => one !== '').join('\n\n')}\n`

const CATALOGUE = new URL('../../src/service/events/catalogue.ts', import.meta.url)

const ANSWERS = `import type { Answers } from './client.js';
export type OperationId = keyof Answers;
/** The answer of an operation, by its id. */
export type AnswerTo<Id extends OperationId> = Answers[Id];
`

type Verbs = Readonly<Record<string, Operation>>

function clientOf(inputs: DeclaredTypes, answered: DeclaredTypes): string[] {
  const answers: string[] = []
  const parts = Object.entries(api as Readonly<Record<string, Verbs>>).map(([noun, verbs]) => {
    const calls = Object.entries(verbs).map(([verb, operation]) => {
      const answer = answerOf(operation, answered)
      answers.push(`${nameOf(operation.id)}: ${answer};`)
      return `${docOf(operation)}readonly ${nameOf(verb)}: (${parametersOf(operation, inputs)}) => Promise<${answer}>;`
    })
    const about = nouns.find(({ name }) => name === noun)
    return `${comment(about ? `${about.summary}.` : '')}readonly ${nameOf(noun)}: ${blockOf(calls)};`
  })
  return [
    `/** A client of the whole interface, and of the control plane of a sandbox. */\nexport interface Client ${blockOf(parts)}`,
    `/** The answers of the operations, by id. */\nexport interface Answers ${blockOf(answers)}`,
  ]
}

const answerOf = ({ id, output, media }: Operation, answered: DeclaredTypes): string =>
  media === undefined || /^text\/|yaml/.test(media) ? answered.typeOf(output, id) : 'Uint8Array'

function docOf(operation: Operation): string {
  const { summary, section, params = {} } = operation
  const parameters = Object.entries(params as Record<string, z.ZodType>).map(
    ([name, schema]) => `@param ${name} ${commentOf(schema) ?? ''}`,
  )
  return comment(
    `${summary}: \`${requestLineOf(operation)}\`${section ? ` (interface §${section})` : ''}.`,
    ...(parameters.length > 0 ? ['', ...parameters] : []),
  )
}

/** Lists path parameters first, then the body or query, then the options. */
function parametersOf({ id, path, query, body, bodyOptional }: Operation, inputs: DeclaredTypes): string {
  const names = pathNames(path).map((name) => `${name}: string`)
  const payload = body
    ? [`body${bodyOptional ? '?' : ''}: ${inputs.typeOf(body, id)}`]
    : query
      ? [`query?: ${inputs.queryOf(query as z.ZodObject, id)}`]
      : []
  return [...names, ...payload, 'options?: CallOptions'].join(', ')
}

/** The part of the catalogue that consists of types already. */
const PLAIN_TYPES = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\nexport type SandboxEvent\b[\s\S]*?(?=^export const )/m

function eventTypes(events: DeclaredTypes): string {
  const fields = Object.entries(catalogue).map(
    ([name, { summary, data }]) => `${comment(`${summary}.`)}${nameOf(name)}: ${events.typeOf(data, name)};`,
  )
  const [plain] = PLAIN_TYPES.exec(readFileSync(CATALOGUE, 'utf8')) ?? []
  if (plain === undefined) throw new Error('the types of events stand elsewhere than was thought')
  return paragraphs(
    events.interfaces,
    `/** The \`data\` of an event, by its name. */\nexport interface EventFields ${blockOf(fields)}`,
    'export type EventName = keyof EventFields;',
    '/** `data` of the event of a name. */\nexport type EventData<Name extends EventName> = EventFields[Name];',
    plain.trim(),
    'export declare const eventNames: EventName[];',
    'export declare const eventFamilies: string[];',
    'export {};',
  )
}
