import type { Client } from '../../../src/index.ts'

export type Explanation = Awaited<ReturnType<Client['messages']['explain']>>

/** The reasons of each step, by its name: `dispatched`. */
export const reasonsOf = ({ steps }: Explanation, what: string) =>
  steps.find((step) => step.what === what)?.because ?? []

/** The reason of one kind at a step. */
export const reasonAt = (explanation: Explanation, what: string, about: string) =>
  reasonsOf(explanation, what)
    .filter((reason) => reason.about === about)
    .map(({ says }) => says)
    .join('; ')
