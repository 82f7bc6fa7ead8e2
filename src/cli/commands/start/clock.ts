import { InvalidArgumentError } from 'commander'
import { startFault } from '../../../words/instant-text.ts'
import { type Pace, parsePace } from '../../../words/pace.ts'
import { MAX_SEED_LENGTH } from '../../../words/seed.ts'
import { textThat } from '../../process/parser-of.ts'

export function paceOption(text: string): Pace {
  const pace = parsePace(text)
  if (typeof pace === 'string') throw new InvalidArgumentError(`It ${pace}`)
  return pace
}

export function instantOption(text: string): string {
  const fault = startFault(text)
  if (fault) throw new InvalidArgumentError(`It ${fault}.`)
  return text
}

export const seedOption = textThat(
  ({ length }) => length <= MAX_SEED_LENGTH,
  `It must have at most ${MAX_SEED_LENGTH} characters.`,
)

/** Describes a clock; undefined for one in real time. */
export function clockLine(pace: Pace): string | undefined {
  switch (pace.mode) {
    case 'real':
      return undefined
    case 'frozen':
      return 'frozen: sandbox clock advance 24h'
    case 'auto':
      return 'auto: jumps to the next scheduled work as soon as nothing else is running'
    case 'scaled':
      return `scaled: ${pace.factor} times as fast as the machine`
  }
}
