import type { AnswerTo } from '../client/answers.ts'

type Steps = AnswerTo<'messages.explain'>['steps']

/** What happened as planned has the reasons of the plan, so the plan keeps those of what did not happen yet, or never will. */
export const withoutRepeatedPlan = (steps: Steps): Steps =>
  steps.flatMap((step, i) => {
    const later = steps.slice(i + 1).flatMap(({ because }) => because.map(({ says }) => says))
    const because = step.because.filter(({ says }) => !later.includes(says))
    return step.what === 'planned' ? (because.length > 0 ? [{ ...step, because }] : []) : [step]
  })
