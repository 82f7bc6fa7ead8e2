import { z } from 'zod'
import { exampleFieldsOf, ONLY_AT, problemFields } from '../service/problems/contract.ts'
import { messageOf, type ProblemCode, problems } from '../words/problem.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

/** The error envelope of interface §7; routes may add fields. */
const Problem = z
  .looseObject({
    error: z.string().describe('Stable error code for programs.'),
    message: z.string().describe('Text for people, not for programs.'),
    details: z
      .array(
        z.strictObject({
          field: z.string().describe('Path of the field, such as content.suggestions[3].reply.text.'),
          code: z.string().describe('Code of the broken rule.'),
          message: z.string().describe('Requirement for the field, for people.'),
        }),
      )
      .describe('Invalid fields, or an empty list.')
      .meta({ choice: true }),
  })
  .meta({ id: 'Problem', description: 'Reason for a refusal. Some codes have additional fields.' })

/** Describes the answer of one status: the envelope with its possible codes. */
export function problemContent(codes: readonly ProblemCode[], schemas: Schemas, path: string): JsonSchema {
  return {
    schema: anyOf(variants(codes, path).map((variant) => schemaOf(variant, schemas, path))),
    examples: Object.fromEntries(codes.map((code) => [code, { ...marksOf(code), value: exampleOf(code) }])),
  }
}

/** Groups codes with the same fields, which share a schema. */
function variants(codes: readonly ProblemCode[], path: string): ProblemCode[][] {
  const plain = codes.filter((code) => !fieldsAt(code, path))
  return [...(plain.length > 0 ? [plain] : []), ...codes.filter((code) => fieldsAt(code, path)).map((code) => [code])]
}

const fieldsAt = (code: ProblemCode, path: string) =>
  (ONLY_AT[code] ?? path) === path ? problemFields[code] : undefined

const anyOf = (schemas: JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas })

function schemaOf(codes: readonly ProblemCode[], schemas: Schemas, path: string): JsonSchema {
  const own = z.looseObject({ error: z.enum(codes), ...fieldsAt(codes[0]!, path) })
  return { allOf: [schemas.of(Problem), schemas.of(own)] }
}

const exampleOf = (code: ProblemCode) => ({
  error: code,
  message: messageOf(code),
  details: [],
  ...exampleFieldsOf(code),
})

const ONLY_HERE = 'x-sandbox-only'

const isOnlyHere = (code: ProblemCode) => problems[code].source === 'sandbox'

const marksOf = (code: ProblemCode) => ({
  ...(isOnlyHere(code) ? { [ONLY_HERE]: true } : {}),
  ...(problems[code].source === 'interface' ? {} : CHOICE),
})

/** Codes that only a sandbox answers. */
export function sandboxOnly(codes: readonly ProblemCode[]): JsonSchema {
  const only = codes.filter(isOnlyHere)
  return only.length > 0 ? { [ONLY_HERE]: only } : {}
}

/** The description of a status: each code with meaning and remedy. */
export const problemText = (codes: readonly ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${messageOf(code)}`).join('\n')
