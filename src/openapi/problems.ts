import { z } from 'zod'
import { Balance } from '../service/billing/contract.ts'
import { type ProblemCode, problems } from '../words/problem.ts'
import type { JsonSchema, Schemas } from './schema.ts'

/** The error envelope of interface §7; a route may add fields of its own. */
const Problem = z
  .looseObject({
    error: z.string().describe('The code: stable, to branch on.'),
    message: z.string().describe('For people; not to branch on.'),
    details: z
      .array(
        z.strictObject({
          field: z.string().describe('Path of the field: content.suggestions[3].reply.text.'),
          code: z.string().describe('What rule it breaks.'),
          message: z.string().describe('What it must be, for people.'),
        }),
      )
      .describe('Which fields are meant; empty where none is.'),
  })
  .meta({ id: 'Problem' })

interface Extra {
  fields: z.ZodRawShape
  example: Record<string, unknown>
}

/** Fields that certain codes always have beside the envelope. */
const EXTRAS: Partial<Record<ProblemCode, Extra>> = {
  insufficient_balance: {
    fields: {
      required_amount: z.number().describe('What the call would hold, EUR.'),
      balance: Balance,
      topup_url: z.string().describe('Where a person can top up.'),
    },
    example: {
      required_amount: 0.08,
      balance: { free: 0.05, reserved: 0, total: 0.05 },
      topup_url: 'https://dashboard.example.com/billing/topup',
    },
  },
  rate_limit_exceeded: {
    fields: { retry_after: z.int().describe('Seconds until the window resets.') },
    example: { retry_after: 12 },
  },
  agent_not_approved: {
    fields: { agent_status: z.string().describe('Where the agent stands.') },
    example: { agent_status: 'PENDING_REVIEW' },
  },
  recipient_suppressed: {
    fields: { contact_status: z.string().describe('Why sends are suppressed.') },
    example: { contact_status: 'BLOCKED' },
  },
  device_not_rcs_capable: { fields: { to: z.string().describe('The phone.') }, example: { to: '+4917139200010' } },
}

/** Those fields with some value, for a refusal that no case stands behind. */
export const extrasOf = (code: ProblemCode): Record<string, unknown> => EXTRAS[code]?.example ?? {}

/** What is answered with one status: the envelope, with the codes that are possible here. */
export function problemContent(codes: readonly ProblemCode[], schemas: Schemas): JsonSchema {
  return {
    schema: anyOf(variants(codes).map((variant) => schemaOf(variant, schemas))),
    examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
  }
}

/** Codes that say the same fields share a schema. */
function variants(codes: readonly ProblemCode[]): ProblemCode[][] {
  const plain = codes.filter((code) => !EXTRAS[code])
  return [...(plain.length > 0 ? [plain] : []), ...codes.filter((code) => EXTRAS[code]).map((code) => [code])]
}

const anyOf = (schemas: JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas })

function schemaOf(codes: readonly ProblemCode[], schemas: Schemas): JsonSchema {
  const own = z.looseObject({ error: z.enum(codes), ...EXTRAS[codes[0]!]?.fields })
  return { allOf: [schemas.of(Problem), schemas.of(own)] }
}

const exampleOf = (code: ProblemCode) => ({
  error: code,
  message: `${problems[code].meaning} ${problems[code].remedy}`,
  details: [],
  ...EXTRAS[code]?.example,
})

/** What a person reads of a status: each code with its meaning and remedy. */
export const problemText = (codes: readonly ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${problems[code].meaning} ${problems[code].remedy}`).join('\n')
