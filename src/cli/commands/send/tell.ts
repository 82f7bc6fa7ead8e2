import type { AnswerTo } from '../../../client/answers.ts'
import { euros } from '../../output/render.ts'

export function moneyOf({ billing }: AnswerTo<'messages.send'>): string {
  const parts = [
    ['hold', billing?.hold_amount],
    ['price', billing?.message_price],
    ['free balance', billing?.balance?.free],
  ] as const
  const amounts = parts
    .filter(([, amount]) => amount !== undefined)
    .map(([name, amount]) => `${name} ${euros(amount!)}`)
  return [billing?.message_type, ...amounts].filter(Boolean).join(' · ')
}
