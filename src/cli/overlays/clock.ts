import type { Overlay } from '../overlay.ts'

interface Advanced {
  now: string
  fired: { at: string; what: string; subject: string }[]
  total?: number
}

const MOST_SHOWN = 20

export const clock: Record<string, Overlay> = {
  'clock.advance': {
    positional: ['by'],
    examples: ['sandbox clock advance 24h', 'sandbox clock advance --to 2026-02-01T00:00:00Z'],
    forPeople:
      ({ now, fired, total = fired.length }: Advanced) =>
      (paint) =>
        [
          `It is ${paint.bold(now)}; ${total === 1 ? '1 thing' : `${total} things`} happened on the way.`,
          ...fired.slice(0, MOST_SHOWN).map(({ at, what, subject }) => `  ${paint.dim(at)}  ${what}  ${subject}`),
          ...(total > MOST_SHOWN ? [paint.dim(`  … and ${total - MOST_SHOWN} more; --json lists them`)] : []),
        ].join('\n'),
  },
  'clock.mode': { positional: ['mode'], examples: ['sandbox clock mode frozen'] },
}
