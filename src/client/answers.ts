import type { z } from 'zod'
import type { Api } from '../registry/api.ts'

type AnyOperation = { [Noun in keyof Api]: Api[Noun][keyof Api[Noun]] }[keyof Api]

export type OperationId = AnyOperation['id']

/** The answer of an operation, by its id. */
export type AnswerTo<Id extends OperationId> = z.output<Extract<AnyOperation, { id: Id }>['output']>
