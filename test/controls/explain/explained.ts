import type { Client } from '../../../src/index.ts'

export type Explanation = Awaited<ReturnType<Client['messages']['explain']>>

/** What is said of each step: `dispatched` → the reasons. */
export const reasonsOf = ({ steps }: Explanation, what: string) =>
  steps.find((step) => step.what === what)?.because ?? []

/** What is said about one thing at a step. */
export const said = (explanation: Explanation, what: string, about: string) =>
  reasonsOf(explanation, what)
    .filter((reason) => reason.about === about)
    .map(({ says }) => says)
    .join('; ')
