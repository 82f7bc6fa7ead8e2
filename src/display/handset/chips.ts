import type { ChipLayout, Code, PhonePlatform, PreviewFinding } from './shapes.ts'

/** Chips below a message by profile; `isNewest` where no message follows. */

interface Laid {
  chips: ChipLayout[]
  findings: PreviewFinding[]
}

interface Situation {
  isNewest: boolean
  /** Indices of replies that were tapped. */
  used?: readonly number[]
}

const AT = 'chips'
const REPLIES_ADVISED = 3
const ACTIONS_SHOWN = 2

export const layOutChips = (profile: PhonePlatform, chips: readonly ChipLayout[], situation: Situation): Laid =>
  profile === 'android' ? androidChips(chips, situation) : iosChips(chips, situation)

/** All chips vanish with the next message. */
function androidChips(chips: readonly ChipLayout[], { isNewest }: Situation): Laid {
  const isThere = isNewest && chips.length > 0
  return {
    chips: chips.map((chip) => ({ ...chip, visibility: isNewest ? 'shown' : 'dropped' })),
    findings: isThere ? [{ code: 'android-chips-vanish', at: AT }] : [],
  }
}

/** Actions are above replies and fold into a menu if there are many; replies stay until one is tapped. */
function iosChips(chips: readonly ChipLayout[], { used = [] }: Situation): Laid {
  const actions = chips.filter(({ kind }) => kind !== 'reply')
  const replies = chips.filter(({ kind }) => kind === 'reply')
  const isFolded = actions.length > ACTIONS_SHOWN
  const isUsed = replies.some(({ index }) => used.includes(index))
  const ordered: ChipLayout[] = [
    ...actions.map((chip) => ({ ...chip, visibility: isFolded ? ('folded' as const) : ('shown' as const) })),
    ...replies.map((chip) => ({ ...chip, visibility: isUsed ? ('dropped' as const) : ('shown' as const) })),
  ]
  const isReordered = ordered.some(({ index }, i) => index !== chips[i]!.index)
  const codes: Code[] = [
    ...(isReordered ? (['ios-actions-first'] as const) : []),
    ...(isFolded ? (['ios-actions-folded'] as const) : []),
    ...(replies.length > REPLIES_ADVISED ? (['ios-many-replies'] as const) : []),
  ]
  return { chips: ordered, findings: codes.map((code) => ({ code, at: AT })) }
}
