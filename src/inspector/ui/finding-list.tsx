import type { ComponentChildren } from 'preact'

export interface FoundDifference {
  name: string
  weight: 'drops' | 'changes' | 'advice'
  says: string
  source: string
  at?: string
  where?: ComponentChildren
}

/** What readers of a message would not see as it was sent, each with its source. */
export const FindingList = ({ of, empty }: { of: readonly FoundDifference[]; empty: string }) =>
  of.length === 0 ? (
    <p class="empty">{empty}</p>
  ) : (
    <ul class="findings">
      {of.map(({ name, weight, says, source, at, where }, i) => (
        <li key={`${name} ${at} ${i}`} class={weight}>
          <code>{name}</code> <span class="quiet">{at}</span> {where}
          <p>{says}</p>
          <p class="source">{source}</p>
        </li>
      ))}
    </ul>
  )
