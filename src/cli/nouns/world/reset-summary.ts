import type { AnswerTo } from '../../../client/answers.ts'
import type { Paint } from '../../output/paint.ts'

/** Describes what a reset has restored. */
export const resetSummary = ({ namespace, scope, clock }: AnswerTo<'world.reset'>, paint: Paint): string =>
  `${paint.green('✓')} namespace ${paint.bold(namespace)}: ${wordsFor(scope)} reset; its clock shows ${clock.now}`

function wordsFor(scope: AnswerTo<'world.reset'>['scope']): string {
  if (scope === 'all') return 'everything is'
  return scope === 'balance' ? 'the balance is' : `${scope} are`
}
