import type { TransactionAnswer } from '../api/answers.ts'
import { euros, momentOf } from '../ui/text.ts'

const WIDTH = 720
const HEIGHT = 120
const EDGE = 4

/** The free balance over time, with a step for each movement. */
export function Chart({ of: transactions }: { of: readonly TransactionAnswer[] }) {
  if (transactions.length < 2) return null
  const points = [...transactions]
    .reverse()
    .map(({ created_at, free_after }) => ({ iso: created_at, at: Date.parse(created_at), free: free_after }))
  const [first, last] = [points[0]!, points.at(-1)!]
  const low = Math.min(...points.map(({ free }) => free))
  const high = Math.max(...points.map(({ free }) => free))
  const x = (at: number) => EDGE + ((at - first.at) / Math.max(1, last.at - first.at)) * (WIDTH - 2 * EDGE)
  const y = (free: number) => HEIGHT - EDGE - ((free - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const line = points.map(({ at, free }, i) => (i === 0 ? `M${x(at)},${y(free)}` : `H${x(at)}V${y(free)}`)).join('')
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" preserveAspectRatio="none">
        <title>{`Free balance from ${euros(first.free)} to ${euros(last.free)}`}</title>
        <path class="area" d={`${line}V${HEIGHT}H${x(first.at)}Z`} />
        <path class="line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption>
        <span>
          {momentOf(first.iso)} · {euros(first.free)}
        </span>
        <span>
          between {euros(low)} and {euros(high)}
        </span>
        <span>
          {momentOf(last.iso)} · {euros(last.free)}
        </span>
      </figcaption>
    </figure>
  )
}
